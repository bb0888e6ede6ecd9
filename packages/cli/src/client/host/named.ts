import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { configFile } from '../../config-file.js';
import { UsageError } from '../../usage-error.js';
import type { CommonOptions } from '../command.js';
import { CommandError } from '../errors.js';
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

export async function addHost(
  name: string,
  link: string,
  options: CommonOptions & { default?: boolean },
): Promise<void> {
  if (!/^[\w.-]+$/.test(name)) throw new UsageError(`"${name}" cannot be a name: use letters, digits and any of . _ -`);
  const url = link.replace(/#.*$/s, '');
  if (!/^(wss?|https?|unix):/i.test(url))
    throw new UsageError(`${url} is not a URL: it must start with ws:, wss:, http:, https: or unix:`);
  const token = await tokenIn(link);
  const tokenFile = token === undefined ? options.tokenFile : join(dirname(configFile()), `${name}.token`);
  if (token !== undefined && tokenFile !== undefined) keepToken(tokenFile, token);
  const host = { url, ...(tokenFile !== undefined && { tokenFile: resolve(tokenFile) }) };
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

/** Only its owner may read it. */
export function keepToken(file: string, token: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  rmSync(file, { force: true }); // the mode of a file that exists would stay
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
}

/** The token that comes with a link: in it, or in exchange for the code or invitation in it. */
async function tokenIn(link: string): Promise<string | undefined> {
  const [, kind, secret = ''] = /#(pair|token)=([^&]+)/.exec(link) ?? [];
  if (kind !== 'pair') return kind && decodeURIComponent(secret);
  const page = new URL('pair', link.replace(/#.*$/s, '').replace(/^ws/i, 'http'));
  const answer = await fetch(page, { method: 'POST', headers: { 'X-Moorage-Pairing': secret } }).catch(() => {
    throw new CommandError(`${page.origin} does not answer`);
  });
  if (!answer.ok) throw new CommandError(`this link was used, or is too old (${answer.status}): ask for another one`);
  return ((await answer.json()) as { token: string }).token;
}
