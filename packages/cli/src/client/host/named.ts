import { resolve } from 'node:path';
import { configFile } from '../../config-file.js';
import { UsageError } from '../../usage-error.js';
import type { CommonOptions } from '../command.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { printTable } from '../output/table.js';
import { changeClientConfig, readClientConfig } from './config.js';

export function listHosts({ json }: CommonOptions) {
  const config = readClientConfig();
  if (json) return printLine(jsonLine(config));
  const rows = Object.entries(config.hosts).map(([name, { url, tokenFile }]) => [
    `${plainLine(name)}${name === config.default ? ' (default)' : ''}`,
    plainLine(url),
    plainLine(tokenFile ?? ''),
  ]);
  if (rows.length === 0) return note('No named hosts. Add one with: moorage host add NAME URL --token-file FILE');
  printTable(['NAME', 'URL', 'TOKEN FILE'], rows);
}

export function addHost(name: string, url: string, options: CommonOptions & { default?: boolean }): void {
  if (!/^[\w.-]+$/.test(name)) throw new UsageError(`"${name}" cannot be a name: use letters, digits and any of . _ -`);
  if (!/^(wss?|https?|unix):/i.test(url))
    throw new UsageError(`${url} is not a URL: it must start with ws:, wss:, http:, https: or unix:`);
  const host = { url, ...(options.tokenFile !== undefined && { tokenFile: resolve(options.tokenFile) }) };
  changeClientConfig(['hosts', name], host);
  if (options.default) changeClientConfig(['default'], name);
  printLine(`added ${name} to ${configFile()}`);
}

export function removeHost(name: string): void {
  const { hosts, default: byDefault } = readClientConfig();
  if (!Object.hasOwn(hosts, name))
    throw new UsageError(`there is no host named "${name}": moorage host list shows them`);
  changeClientConfig(['hosts', name], undefined);
  if (byDefault === name) changeClientConfig(['default'], undefined);
  printLine(`removed ${name}`);
}
