import type { Client } from '@moorage/client';
import { type ChangesetFile, ExtensionMeta, primaryDirectory } from '@moorage/protocol';
import { colour, printLine } from '../output/out.js';
import { plainLine } from '../output/plain.js';
import { plural } from '../output/plural.js';
import type { LiveSession } from '../sessions/live-session.js';
import { openChangeset } from './open.js';
import { type Base, pathOf } from './paths.js';
import { expandChangeset } from './select.js';

export interface FileStat {
  readonly path: string;
  /** Where it was, if it moved. */
  readonly from?: string;
  readonly added?: number;
  readonly removed?: number;
  readonly kind: 'created' | 'deleted' | 'renamed' | 'changed';
  /** In words, what of it is in git's index. */
  readonly inIndex?: string;
}

/** Nobody wants to wait long for this list at the end of a turn; `moorage diff` waits longer. */
const SUMMARY_WITHIN_MS = 15_000;
/** Files that a summary names. */
const MAX_FILES = 20;

/** What a turn changed; undefined when the host does not say. */
export async function changesOfTurn(
  client: Client,
  live: LiveSession,
  turnId: string,
): Promise<FileStat[] | undefined> {
  const uri = expandChangeset(live.session.confirmed, 'turn', { turnId });
  if (uri === undefined) return undefined;
  try {
    const mirror = await openChangeset(client, uri, SUMMARY_WITHIN_MS);
    const { files } = mirror.confirmed;
    mirror.release();
    return files.map((file) => statOf(file, primaryDirectory(live.session.confirmed)));
  } catch {
    return undefined; // the list is an extra, without which the turn is over just the same
  }
}

export function statOf({ edit, _meta = {} }: Stated, folder: Base): FileStat {
  const before = edit.before && pathOf(edit.before.uri, folder);
  const after = edit.after && pathOf(edit.after.uri, folder);
  const { added, removed } = edit.diff ?? {};
  const inIndex = IN_INDEX.find(([name]) => _meta[name] === true)?.[1];
  const counts = {
    ...(added !== undefined && { added }),
    ...(removed !== undefined && { removed }),
    ...(inIndex !== undefined && { inIndex }),
  };
  if (after === undefined) return { path: before ?? '', kind: 'deleted', ...counts };
  if (before === undefined) return { path: after, kind: 'created', ...counts };
  return before === after
    ? { path: after, kind: 'changed', ...counts }
    : { path: after, from: before, kind: 'renamed', ...counts };
}

type Stated = Pick<ChangesetFile, 'edit' | '_meta'>;

/** The first that applies is shown. */
const IN_INDEX: readonly (readonly [name: string, text: string])[] = [
  [ExtensionMeta.conflicted, 'conflict'],
  [ExtensionMeta.onlyStaged, 'only staged'],
  [ExtensionMeta.partlyStaged, 'partly staged'],
  [ExtensionMeta.staged, 'staged'],
];

export function printStat(files: readonly FileStat[], limit = MAX_FILES): void {
  if (files.length === 0) return;
  for (const { kind, added, removed, inIndex, ...file } of files.slice(0, limit)) {
    const counts = added === undefined ? '' : ` ${colour.green(`+${added}`)} ${colour.red(`-${removed ?? 0}`)}`;
    printLine(` ${PAINTS[kind](LETTERS[kind])} ${nameOf(file)}${counts}${inIndex ? ` (${inIndex})` : ''}`);
  }
  if (files.length > limit) printLine(` ... and ${files.length - limit} more`);
  const sum = (side: 'added' | 'removed') => files.reduce((total, file) => total + (file[side] ?? 0), 0);
  printLine(
    `${plural(files.length, 'file')} changed, ${plural(sum('added'), 'line')} added, ${sum('removed')} removed`,
  );
}

/** One line of such a list, without colours. */
export function statLine({ kind, added, removed, ...file }: FileStat): string {
  return `${LETTERS[kind]} ${nameOf(file)}${added === undefined ? '' : ` +${added} -${removed ?? 0}`}`;
}

function nameOf({ path, from }: Pick<FileStat, 'path' | 'from'>): string {
  return from === undefined ? plainLine(path) : `${plainLine(from)} -> ${plainLine(path)}`;
}

const LETTERS = { created: 'A', deleted: 'D', renamed: 'R', changed: 'M' } as const;
const PAINTS = { created: colour.green, deleted: colour.red, renamed: colour.cyan, changed: String } as const;
