import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { configFile } from '../../config-file.js';
import { UsageError } from '../../usage-error.js';
import type { CommonOptions } from '../command.js';
import { changeClientConfig, readClientConfig } from '../host/config.js';
import { findHost } from '../host/find.js';
import { withHost } from '../host/open.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { printTable } from '../output/table.js';
import { describeSource, readSource, readTokenInput, type TokenSource } from './sources.js';

export interface AddOptions extends CommonOptions {
  readonly env?: string;
  readonly file?: string;
}

export async function listNeeded(options: CommonOptions): Promise<void> {
  const sources = readClientConfig().tokens?.[findHost(options).name] ?? {};
  await withHost(options, async (client) => {
    const { agents } = (await client.root()).confirmed;
    const needed = agents.flatMap(({ provider, protectedResources = [] }) =>
      protectedResources.map(({ resource, required = true, authorization_servers: from = [] }) => {
        const source = sources[resource];
        const hasToken = source !== undefined && readSource(source) !== undefined;
        return { agent: provider, resource, required, from, source: source && describeSource(source), hasToken };
      }),
    );
    if (options.json) return printLine(jsonLine(needed));
    if (needed.length === 0) return note('No agent of the host needs a token.');
    const rows = needed.map(({ agent, resource, required, source, hasToken }) => [
      plainLine(agent),
      plainLine(resource),
      required ? 'yes' : 'no',
      source === undefined ? 'none' : `${plainLine(source)}${hasToken ? '' : ' (empty)'}`,
    ]);
    printTable(['AGENT', 'RESOURCE', 'REQUIRED', 'TOKEN'], rows);
  });
}

export async function addToken(resource: string, options: AddOptions): Promise<void> {
  if (options.env !== undefined && options.file !== undefined) throw new UsageError('give --env or --file, not both');
  const host = findHost(options).name;
  const source = await sourceOf(host, resource, options);
  changeClientConfig(['tokens', host, resource], source);
  printLine(`tokens for ${plainLine(resource)} come from ${plainLine(describeSource(source))}`);
}

export function removeToken(resource: string, options: CommonOptions): void {
  const host = findHost(options).name;
  const gone = readClientConfig().tokens?.[host]?.[resource];
  if (!gone) throw new UsageError(`there is no token for ${resource}: moorage auth list shows them`);
  changeClientConfig(['tokens', host, resource], undefined);
  if ('file' in gone && gone.file === ownFile(host, resource)) rmSync(gone.file, { force: true });
  printLine(`removed ${plainLine(resource)}`);
}

async function sourceOf(host: string, resource: string, { env, file }: AddOptions): Promise<TokenSource> {
  if (env !== undefined) return { env };
  if (file !== undefined) return { file: resolve(file) };
  const token = await readTokenInput();
  const own = ownFile(host, resource);
  mkdirSync(dirname(own), { recursive: true, mode: 0o700 });
  rmSync(own, { force: true }); // a file that exists would keep its mode
  writeFileSync(own, `${token}\n`, { mode: 0o600 });
  return { file: own };
}

/** Where a token from standard input is kept. */
function ownFile(host: string, resource: string): string {
  const name = createHash('sha256').update(`${host} ${resource}`).digest('hex').slice(0, 32);
  return join(dirname(configFile()), 'tokens', name);
}
