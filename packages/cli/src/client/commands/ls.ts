import type { SessionSummary } from '@moorage/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { type CommonOptions, command } from '../command.js';
import { readClientConfig } from '../host/config.js';
import { findHost, type HostTarget, localHost } from '../host/find.js';
import { openHost } from '../host/open.js';
import { colour, note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { printTable } from '../output/table.js';
import { folderUri, isIn, listSessions, shortIds } from '../sessions/find.js';
import { activityName, ago, isArchived, isUnread } from '../sessions/status.js';

interface LsOptions extends CommonOptions {
  readonly all?: boolean;
  readonly here?: boolean;
  readonly allHosts?: boolean;
}

export default function lsCommand(): Command {
  return command('ls', 'List sessions, the newest first.', [
    'moorage ls',
    'moorage ls --here                # those of the current folder',
    'moorage ls --all                 # archived ones too',
    'moorage ls --all-hosts           # of all hosts of the configuration, and of this machine',
    "moorage ls --json | jq -r '.[].resource'",
  ])
    .option('-a, --all', 'also archived sessions')
    .option('--here', 'only sessions of the current folder')
    .option('--all-hosts', 'of every named host and of the one that runs here')
    .action(ls);
}

interface Listed {
  readonly host: string;
  readonly session: SessionSummary;
}

async function ls(options: LsOptions): Promise<void> {
  if (options.allHosts && options.host) throw new UsageError('--all-hosts and --host exclude each other');
  const targets = options.allHosts ? allHosts(options) : [findHost(options)];
  const lists = await Promise.all(targets.map((target) => listOf(target, options.allHosts === true)));
  const here = options.here ? folderUri('.') : undefined;
  const listed = lists
    .flat()
    .filter(({ session }) => options.all || !isArchived(session.status))
    .filter(({ session }) => here === undefined || isIn(session, here));
  if (options.json) {
    const rows = listed.map(({ host, session }) => (options.allHosts ? { host, ...session } : session));
    return printLine(jsonLine(rows));
  }
  if (listed.length === 0) return note('No sessions. Start one with: moorage run "PROMPT"');
  printSessions(listed, options.allHosts === true);
}

function printSessions(listed: readonly Listed[], withHost: boolean): void {
  const now = Date.now();
  const ids = shortIds(listed.map(({ session }) => session));
  const rows = listed.map(({ host, session }) => [
    ...(withHost ? [plainLine(host)] : []),
    ids.get(session) ?? '',
    `${activityName(session.status)}${isArchived(session.status) ? ', archived' : ''}`,
    ago(Date.parse(session.modifiedAt), now),
    plainLine(session.provider),
    changesText(session),
    `${plainLine(session.title) || '(untitled)'}${isUnread(session.status) ? ' *' : ''}`,
  ]);
  const head = [...(withHost ? ['HOST'] : []), 'ID', 'STATE', 'CHANGED', 'AGENT', 'LINES', 'TITLE'];
  printTable(head, rows, (cell, column, row) => {
    if (row < 0) return colour.dim(cell);
    if (head[column] !== 'STATE') return cell;
    return cell.startsWith('needs') ? colour.yellow(cell) : cell.startsWith('failed') ? colour.red(cell) : cell;
  });
}

function changesText({ changes }: SessionSummary): string {
  if (!changes?.files) return '';
  return `+${changes.additions ?? 0} -${changes.deletions ?? 0}`;
}

async function listOf(target: HostTarget, mayFail: boolean): Promise<Listed[]> {
  try {
    const client = await openHost(target);
    try {
      return (await listSessions(client)).map((session) => ({ host: target.name, session }));
    } finally {
      client.close();
    }
  } catch (error) {
    if (!mayFail) throw error;
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    note(`moorage: ${plainLine(target.name)}: ${plainLine(why)}`);
    return [];
  }
}

function allHosts(options: CommonOptions): HostTarget[] {
  const { host: _host, ...others } = options;
  const named = Object.keys(readClientConfig().hosts).map((host) => findHost({ ...others, host }));
  try {
    const local = localHost(others);
    return [local, ...named.filter(({ url }) => url !== local.url)];
  } catch (error) {
    if (named.length === 0) throw error;
    return named;
  }
}
