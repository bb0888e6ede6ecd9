import { randomUUID } from 'node:crypto';
import type { Client } from '@moorage/client';
import { type TerminalInfo, terminalUri } from '@moorage/protocol';
import { UsageError } from '../../usage-error.js';
import type { CommonOptions } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { printTable } from '../output/table.js';
import { folderUri } from '../sessions/find.js';
import { joinTerminal } from './join.js';

export interface TermOptions extends CommonOptions {
  readonly name?: string;
  readonly detach?: boolean;
}

const DEFAULT_SIZE = { cols: 80, rows: 24 };

export async function newTerminal(options: TermOptions): Promise<void> {
  if (!options.detach) requireTerminal(', or --detach to only open one');
  const id = randomUUID();
  const create = async (client: Client) => {
    const channel = terminalUri.format(id);
    const { columns: cols = DEFAULT_SIZE.cols, rows = DEFAULT_SIZE.rows } = process.stdout;
    const claim = { kind: 'client' as const, clientId: client.clientId };
    const name = options.name === undefined ? {} : { name: options.name };
    await withProgress(
      'opening a terminal',
      client.request('createTerminal', { channel, claim, cwd: folderUri('.'), cols, rows, ...name }),
    );
    if (!options.detach) return joinTerminal(client, channel);
    printLine(options.json ? jsonLine({ terminal: channel }) : id);
    return 0;
  };
  process.exitCode = await withHost(options, create, asHolder(id));
}

/**
 * A terminal belongs to the client that made it. To come back to it, `moorage` must be that client again, so each terminal gets
 * a client id of its own. The host then closes an earlier connection with that id, which must not reconnect.
 */
function asHolder(id: string) {
  return { clientId: `ahp-term-${id}`, reconnect: false } as const;
}

/** Does something with a terminal, as its holder if `moorage` made it. */
async function withTerminal<T>(
  wanted: string,
  options: CommonOptions,
  work: (client: Client, uri: string) => Promise<T>,
): Promise<T> {
  const { resource, claim } = await withHost(options, (client) => find(client, wanted));
  const holder = asHolder(idOf(resource));
  const isOurs = claim.kind === 'client' && claim.clientId === holder.clientId;
  return withHost(options, (client) => work(client, resource), isOurs ? holder : { reconnect: false });
}

export async function attachTerminalById(wanted: string, options: CommonOptions): Promise<void> {
  requireTerminal();
  process.exitCode = await withTerminal(wanted, options, joinTerminal);
}

export async function killTerminal(wanted: string, options: CommonOptions): Promise<void> {
  await withTerminal(wanted, options, async (client, resource) => {
    await client.request('disposeTerminal', { channel: resource });
    printLine(options.json ? jsonLine({ ended: resource }) : 'ended');
  });
}

export async function listTerminals(options: CommonOptions): Promise<void> {
  await withHost(options, async (client) => {
    const terminals = await all(client);
    if (options.json) return printLine(jsonLine(terminals));
    if (terminals.length === 0) return note('No terminals. Open one with: moorage term');
    const rows = terminals.map(({ resource, title, claim, lifecycle }) => [
      plainLine(idOf(resource).slice(0, 8)),
      stateText(lifecycle),
      claim.kind === 'client' ? 'a client' : 'a session',
      plainLine(title),
    ]);
    printTable(['ID', 'STATE', 'HELD BY', 'TITLE'], rows);
  });
}

function stateText(lifecycle: TerminalInfo['lifecycle']): string {
  if (lifecycle.status === 'running') return 'running';
  return lifecycle.exitCode === undefined ? 'ended' : `ended (${lifecycle.exitCode})`;
}

async function all(client: Client): Promise<readonly TerminalInfo[]> {
  return (await client.root()).confirmed.terminals ?? [];
}

async function find(client: Client, wanted: string): Promise<TerminalInfo> {
  const terminals = await all(client);
  const byId = terminals.filter(({ resource }) => idOf(resource).startsWith(wanted));
  const found = byId.length > 0 ? byId : terminals.filter(({ title }) => title === wanted);
  if (found.length === 1 && found[0]) return found[0];
  if (found.length === 0) throw new CommandError(`there is no terminal "${wanted}": moorage term ls shows them`);
  const list = found.map(({ resource, title }) => `  ${plainLine(idOf(resource))}  ${plainLine(title)}`).join('\n');
  throw new CommandError(`"${wanted}" may be any of these:\n${list}\nType more of its id.`);
}

function idOf(resource: string): string {
  return terminalUri.parse(resource) ?? resource;
}

function requireTerminal(otherwise = ''): void {
  if (process.stdin.isTTY && process.stdout.isTTY) return;
  throw new UsageError(`joining a terminal needs a terminal for standard input and output${otherwise}`);
}
