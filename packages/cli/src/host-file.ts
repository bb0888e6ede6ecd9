import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a host writes into its data folder while it runs, so that `moorage` can find it. */
export interface HostFile {
  readonly url: string;
  readonly pid: number;
  readonly tokenFile: string;
  readonly socket?: string;
  readonly version: string;
}

const NAME = 'host.json';

export function writeHostFile(dataDir: string, host: HostFile): void {
  writeFileSync(join(dataDir, NAME), `${JSON.stringify(host)}\n`, { mode: 0o600 });
}

export function removeHostFile(dataDir: string): void {
  rmSync(join(dataDir, NAME), { force: true });
}

/** The file of a host, which may have been killed since; undefined when there is none that makes sense. */
export function readHostFile(dataDir: string): HostFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(dataDir, NAME), 'utf8'));
  } catch {
    return undefined;
  }
  return isHostFile(value) ? value : undefined;
}

function isHostFile(value: unknown): value is HostFile {
  if (typeof value !== 'object' || value === null) return false;
  const { url, pid, tokenFile, socket, version } = value as Record<string, unknown>;
  const strings = [url, tokenFile, version].every((member) => typeof member === 'string');
  const isPid = typeof pid === 'number' && Number.isInteger(pid) && pid > 0;
  return strings && isPid && (socket === undefined || typeof socket === 'string');
}
