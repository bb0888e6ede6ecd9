import { ExtensionMeta, type SessionSummary } from '@moorage/protocol';
import { type Command, Option } from 'commander';
import { UsageError } from '../../usage-error.js';
import { type CommonOptions, command, positiveNumber } from '../command.js';
import { readClientConfig } from '../host/config.js';
import { hostOfSession, isGateway } from '../host/elsewhere.js';
import { findHost, type HostTarget, localHost } from '../host/find.js';
import { openHost } from '../host/open.js';
import { colour, note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { printTable } from '../output/table.js';
import { folderUri, isIn, shortIds } from '../sessions/find.js';
import { type ListPage, newestSessions } from '../sessions/list-page.js';
import { searchConversations } from '../sessions/search.js';
import { activityName, ago, isArchived, isUnread, STATES, type State, stateOf } from '../sessions/status.js';

/** Rows for a person who did not say how many: about a screen. Programs get all. */
const DEFAULT_ROWS = 30;

interface LsOptions extends CommonOptions {
  readonly all?: boolean;
  readonly here?: boolean;
  readonly allHosts?: boolean;
  readonly needsYou?: boolean;
  readonly state?: State;
  readonly count?: number;
  readonly search?: string;
}

export default function lsCommand(): Command {
  return command('ls', 'List sessions: those that need you, then the newest.', [
    'moorage ls',
    'moorage ls --needs-you           # only those that wait for an answer or approval',
    'moorage ls --state failed -n 5   # the five that failed last',
    "moorage ls --search 'login bug'  # in whose title or conversation these words are",
    'moorage ls --here                # those of the current folder',
    'moorage ls --all                 # archived ones too',
    'moorage ls --all-hosts           # of all hosts of the configuration, and of this machine',
    "moorage ls --json | jq -r '.[].resource'",
  ])
    .option('-a, --all', 'also archived sessions')
    .option('--here', 'only sessions of the current folder')
    .option('--needs-you', 'only sessions that wait for you; all of them are looked through')
    .addOption(new Option('--state <state>', 'only sessions in this state').choices(STATES))
    .option('-n, --count <number>', `how many (default: ${DEFAULT_ROWS}; with --json all)`, positiveNumber)
    .option(
      '--search <text>',
      'only sessions with these words in their title or conversation; of a fleet, in their title',
    )
    .option('--all-hosts', 'of every named host and of the one that runs here')
    .action(ls);
}

interface Listed {
  readonly host: string;
  readonly session: SessionSummary;
  /** Where the words that were looked for are in the conversation. */
  readonly excerpt?: string | undefined;
}

async function ls(options: LsOptions): Promise<void> {
  if (options.allHosts && options.host) throw new UsageError('--all-hosts and --host exclude each other');
  if (options.needsYou && options.state !== undefined && options.state !== NEEDS_YOU)
    throw new UsageError('--needs-you and --state exclude each other');
  const state = options.needsYou ? NEEDS_YOU : options.state;
  const here = options.here ? folderUri('.') : undefined;
  const passes = (session: SessionSummary) =>
    (options.all || !isArchived(session.status)) &&
    (here === undefined || isIn(session, here)) &&
    (state === undefined || stateOf(session.status) === state);
  const count = options.count ?? (options.json ? Number.POSITIVE_INFINITY : DEFAULT_ROWS);
  const targets = options.allHosts ? allHosts(options) : [findHost(options)];
  const lists = await Promise.all(
    targets.map((target) => listOf(target, { count, passes, search: options.search }, options.allHosts === true)),
  );
  const found = lists.flatMap(({ host, sessions, said }) =>
    sessions.map((session) => ({
      host: shownHost(session) ?? host,
      session,
      excerpt: said?.get(session.resource),
    })),
  );
  const listed = found.toSorted(byNeed).slice(0, count);
  if (options.json) {
    const rows = listed.map(({ host, session, excerpt }) => ({
      ...(options.allHosts && { host }),
      ...session,
      ...(excerpt !== undefined && { excerpt }),
    }));
    return printLine(jsonLine(rows));
  }
  if (listed.length === 0 && options.search !== undefined) return note('No session has these words.');
  if (listed.length === 0)
    return note(
      state === undefined
        ? 'No sessions. Start one with: moorage run "PROMPT"'
        : `No session is in the state ${state}.`,
    );
  printSessions(
    listed,
    options.allHosts === true || listed.some(({ session }) => hostOfSession(session) !== undefined),
    options.search !== undefined,
  );
  if (found.length > listed.length || lists.some(({ hasMore }) => hasMore))
    note(colour.dim(`There may be more: moorage ls -n ${2 * count}`));
}

function shownHost(session: SessionSummary): string | undefined {
  const host = hostOfSession(session);
  return host?.isAway ? `${host.name} (away)` : host?.name;
}

const NEEDS_YOU = 'needs-you' satisfies State;

/** Those that wait for the user first, then the newest. */
function byNeed({ session: a }: Listed, { session: b }: Listed): number {
  const need = (session: SessionSummary) => (stateOf(session.status) === NEEDS_YOU ? 1 : 0);
  return need(b) - need(a) || Date.parse(b.modifiedAt) - Date.parse(a.modifiedAt);
}

function printSessions(listed: readonly Listed[], withHost: boolean, withExcerpt: boolean): void {
  const now = Date.now();
  const ids = shortIds(listed.map(({ session }) => session));
  const rows = listed.map(({ host, session, excerpt = '' }) => [
    ...(withHost ? [plainLine(host)] : []),
    ids.get(session) ?? '',
    `${activityName(session.status)}${isArchived(session.status) ? ', archived' : ''}`,
    ago(Date.parse(session.modifiedAt), now),
    plainLine(session.provider),
    changesText(session),
    `${plainLine(session.title) || '(untitled)'}${isUnread(session.status) ? ' *' : ''}`,
    ...(withExcerpt ? [plainLine(excerpt)] : []),
  ]);
  const head = [
    ...(withHost ? ['HOST'] : []),
    'ID',
    'STATE',
    'CHANGED',
    'AGENT',
    'LINES',
    'TITLE',
    ...(withExcerpt ? ['FOUND'] : []),
  ];
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

interface Wanted {
  readonly count: number;
  readonly passes: (session: SessionSummary) => boolean;
  readonly search: string | undefined;
}

async function listOf(
  target: HostTarget,
  { count, passes, search }: Wanted,
  mayFail: boolean,
): Promise<ListPage & { readonly host: string; readonly said?: ReadonlyMap<string, string> }> {
  try {
    const client = await openHost(target);
    try {
      if (search === undefined) {
        const page = await withProgress('listing sessions', newestSessions(client, count, passes));
        return { host: target.name, ...page };
      }
      if (await isGateway(client)) {
        const filter = { [ExtensionMeta.filter]: { title: search } };
        return { host: target.name, ...(await newestSessions(client, count, passes, filter)) };
      }
      const said = await withProgress('searching', searchConversations(client, search, count));
      const words = search.toLowerCase().split(/\s+/).filter(Boolean);
      const isFound = (session: SessionSummary) =>
        said.has(session.resource) || words.every((word) => session.title.toLowerCase().includes(word));
      const page = await newestSessions(client, count, (session) => passes(session) && isFound(session));
      return { host: target.name, ...page, said };
    } finally {
      client.close();
    }
  } catch (error) {
    if (!mayFail) throw error;
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    note(`moorage: ${plainLine(target.name)}: ${plainLine(why)}`);
    return { host: target.name, sessions: [], hasMore: false };
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
