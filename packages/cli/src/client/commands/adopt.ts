import { randomUUID } from 'node:crypto';
import type { Client } from '@moorage/client';
import { type EarlierSession, ROOT_URI, sessionUri } from '@moorage/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { colour, note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { printTable } from '../output/table.js';
import { folderUri, sessionId } from '../sessions/find.js';
import { ago } from '../sessions/status.js';

interface AdoptOptions extends CommonOptions {
  readonly agent?: string;
  readonly folder?: string;
}

export default function adoptCommand(): Command {
  return command('adopt [id]', 'Continue a session here that an agent had without moorage; without an id, list them.', [
    'moorage adopt --agent claude              # what Claude Code did in this folder before',
    'moorage adopt --agent claude 4f2a         # continue one; prints the session',
  ])
    .option('-a, --agent <name>', 'which agent (moorage agents lists them)')
    .option('-C, --folder <folder>', 'the folder that the agent worked in (default: the current one)')
    .action(adopt);
}

async function adopt(id: string | undefined, options: AdoptOptions): Promise<void> {
  const { agent, json } = options;
  if (agent === undefined) throw new UsageError('say whose session: moorage adopt --agent NAME');
  const place = { provider: agent, workingDirectory: folderUri(options.folder ?? '.') };
  await withHost(options, async (client) => {
    const items = await withProgress(`asking ${agent}`, listed(client, place));
    if (id === undefined) {
      if (json) return printLine(jsonLine(items));
      if (items.length === 0) return note(`${agent} has no earlier sessions in this folder.`);
      return print(items);
    }
    const channel = sessionUri.format(randomUUID());
    const params = { channel, ...place, id: named(items, id).id };
    await withProgress('reading what was said', client.request('moorage/adoptSession', params));
    const made = sessionId({ resource: channel });
    printLine(json ? jsonLine({ session: channel }) : made);
    if (!json) note(`Continue it with: moorage send ${made.slice(0, 8)} "MESSAGE"`);
  });
}

async function listed(client: Client, place: { provider: string; workingDirectory: string }) {
  try {
    return (await client.request('moorage/listEarlierSessions', { channel: ROOT_URI, ...place })).items;
  } catch (error) {
    if ((error as { code?: number }).code !== -32601) throw error;
    throw new CommandError('this host cannot continue sessions that an agent had without it');
  }
}

/** By the start of its id. */
function named(items: readonly EarlierSession[], start: string): EarlierSession {
  const exact = items.find(({ id }) => id === start);
  const [found, ...others] = exact ? [exact] : items.filter(({ id }) => id.startsWith(start));
  if (found && others.length === 0) return found;
  if (found) throw new UsageError(`"${start}" is the start of ${others.length + 1} sessions; give more of the id`);
  throw new UsageError(`there is no earlier session "${start}" in this folder; moorage adopt lists them`);
}

function print(items: readonly EarlierSession[]): void {
  const now = Date.now();
  const rows = items.map(({ id, title = '', updatedAt }) => [
    plainLine(id),
    updatedAt === undefined ? '' : ago(Date.parse(updatedAt), now),
    plainLine(title) || '(untitled)',
  ]);
  printTable(['ID', 'CHANGED', 'TITLE'], rows, (cell, _column, row) => (row < 0 ? colour.dim(cell) : cell));
}
