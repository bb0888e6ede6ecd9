import { resolve } from 'node:path';
import { UsageError } from '../../usage-error.js';
import type { CommonOptions } from '../command.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { printTable } from '../output/table.js';
import { configFile, readAhpConfig, writeAhpConfig } from './config.js';

export function listHosts({ json }: CommonOptions) {
  const config = readAhpConfig();
  if (json) return printLine(jsonLine(config));
  const rows = Object.entries(config.hosts).map(([name, { url, tokenFile }]) => [
    `${plainLine(name)}${name === config.default ? ' (default)' : ''}`,
    plainLine(url),
    plainLine(tokenFile ?? ''),
  ]);
  if (rows.length === 0) return note('No named hosts. Add one with: ahp host add NAME URL --token-file FILE');
  printTable(['NAME', 'URL', 'TOKEN FILE'], rows);
}

export function addHost(name: string, url: string, options: CommonOptions & { default?: boolean }): void {
  if (!/^[\w.-]+$/.test(name)) throw new UsageError('a name has letters, digits and any of . _ -');
  if (!/^(wss?|https?|unix):/i.test(url)) throw new UsageError(`${url} is not a ws, wss, http, https or unix URL`);
  const config = readAhpConfig();
  const host = { url, ...(options.tokenFile !== undefined && { tokenFile: resolve(options.tokenFile) }) };
  writeAhpConfig({ ...config, hosts: { ...config.hosts, [name]: host }, ...(options.default && { default: name }) });
  printLine(`added ${name} to ${configFile()}`);
}

export function removeHost(name: string): void {
  const config = readAhpConfig();
  const { [name]: gone, ...hosts } = config.hosts;
  if (!gone) throw new UsageError(`there is no host named "${name}": ahp host list shows them`);
  const { default: byDefault, ...rest } = config;
  writeAhpConfig({ ...rest, hosts, ...(byDefault !== undefined && byDefault !== name && { default: byDefault }) });
  printLine(`removed ${name}`);
}
