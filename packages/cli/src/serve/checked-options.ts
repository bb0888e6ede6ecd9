import { readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { whyUnreadable } from '../files.js';
import { UsageError } from '../usage-error.js';

interface TlsOptions {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

export function readTls({ tlsCert, tlsKey }: TlsOptions): { cert: Buffer; key: Buffer } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) throw new UsageError('--tls-cert and --tls-key go together');
  return { cert: readPem('--tls-cert', tlsCert), key: readPem('--tls-key', tlsKey) };
}

function readPem(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${option}: cannot read ${file}: ${whyUnreadable(error)}`);
  }
}

interface AddressOptions extends TlsOptions {
  readonly host: string;
  readonly insecure?: boolean;
}

/** Whether only programs on this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Without TLS a token that travels to another machine can be read on the way. */
export function refuseOpenAddress({ host, tlsCert, insecure }: AddressOptions): void {
  if (isLoopback(host) || tlsCert !== undefined || insecure) return;
  throw new UsageError(
    `${host} can be reached from other machines: give --tls-cert and --tls-key, or --insecure to allow it`,
  );
}

/** The real paths of folders; `source` is where the user named them. */
export function existingFolders(source: string, folders: readonly string[]): string[] {
  return folders.map((folder) => {
    const path = resolve(folder);
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) throw new UsageError(`${source}: there is no folder ${path}`);
    if (!found.isDirectory()) throw new UsageError(`${source}: ${path} is not a folder`);
    return realpathSync(path);
  });
}
