import { type ChangesetFile, ExtensionMeta, isObject } from '@moorage/protocol';
import { editKey } from '../diff/contents.js';
import { pathInFolders } from '../ui/format.js';
import { visible } from '../ui/visible.js';

/** A file under review: what the page needs of a changeset's entry, computed once per entry. */
export interface ReviewFile {
  readonly id: string;
  readonly path: string;
  readonly from: string | undefined;
  readonly letter: 'A' | 'M' | 'D' | 'R';
  readonly added: number | undefined;
  readonly removed: number | undefined;
  /** Changes with the contents. */
  readonly version: string;
  readonly reviewed: boolean;
  /** Where the hunks begin, in the new file, that were reviewed although the whole file was not. */
  readonly reviewedHunks: ReadonlySet<number>;
  readonly staged: boolean;
  /** In words, what of it is in git's index; undefined: nothing. */
  readonly inIndex: string | undefined;
  /** Where the hunks begin, in the new file, that are staged although the whole file is not. */
  readonly stagedHunks: ReadonlySet<number>;
  readonly notes: readonly string[];
  /** Why its lines cannot be compared, although its contents are there. */
  readonly noDiff: string | undefined;
  readonly entry: ChangesetFile;
}

/** `folders` are those of the session. */
export function reviewFiles(files: readonly ChangesetFile[], folders: readonly string[] = []): ReviewFile[] {
  const key = folders.join();
  return files.map((file) => reviewFile(file, folders, key)).sort((a, b) => comparePaths(a.path, b.path));
}

const known = new WeakMap<ChangesetFile, { readonly folders: string; readonly file: ReviewFile }>();

function reviewFile(entry: ChangesetFile, folders: readonly string[], key: string): ReviewFile {
  const found = known.get(entry);
  if (found?.folders === key) return found.file;
  const { before, after, diff } = entry.edit;
  const renamed = before !== undefined && after !== undefined && before.uri !== after.uri;
  const meta = entry._meta ?? {};
  const made: ReviewFile = {
    id: entry.id,
    path: visible(pathInFolders((after ?? before)?.uri, folders)),
    from: renamed ? visible(pathInFolders(before.uri, folders)) : undefined,
    letter: !before ? 'A' : !after ? 'D' : renamed ? 'R' : 'M',
    added: diff?.added,
    removed: diff?.removed,
    version: editKey(entry.edit),
    reviewed: entry.reviewed === true,
    reviewedHunks: new Set(hunkStarts(meta[ExtensionMeta.reviewedHunks])),
    staged: meta[ExtensionMeta.staged] === true,
    inIndex: IN_INDEX.find(([name]) => meta[name] === true)?.[1],
    stagedHunks: new Set(hunkStarts(meta[ExtensionMeta.stagedHunks])),
    noDiff: whyNoDiff(meta[ExtensionMeta.notFiltered]),
    notes: Object.entries(NOTES).flatMap(([name, text]) => (meta[name] ? [text] : [])),
    entry,
  };
  known.set(entry, { folders: key, file: made });
  return made;
}

/** The first that applies is shown. */
const IN_INDEX: readonly (readonly [name: string, text: string])[] = [
  [ExtensionMeta.conflicted, 'conflict'],
  [ExtensionMeta.onlyStaged, 'only staged'],
  [ExtensionMeta.partlyStaged, 'partly staged'],
  [ExtensionMeta.staged, 'staged'],
];

function whyNoDiff(filter: unknown): string | undefined {
  if (typeof filter !== 'string') return undefined;
  return (
    `Git stores this file through the filter "${visible(filter)}", which only the repository configures. ` +
    'The host runs it only if the repository is trusted (moorage serve --trust), so the lines cannot be compared.'
  );
}

function hunkStarts(hunks: unknown): number[] {
  if (!Array.isArray(hunks)) return [];
  return hunks.flatMap((hunk: unknown) => {
    const start = isObject(hunk) && isObject(hunk.after) ? hunk.after.start : undefined;
    return typeof start === 'number' ? [start] : [];
  });
}

/** Labels for what hosts report about files besides their lines. */
const NOTES: Readonly<Record<string, string>> = {
  [ExtensionMeta.changedSinceReviewed]: 'changed since you viewed it',
  [ExtensionMeta.beforeUnknown]: 'nobody knows what it was before',
  [ExtensionMeta.symlink]: 'symbolic link',
  [ExtensionMeta.submodule]: 'nested repository',
  [ExtensionMeta.executable]: 'executable',
  [ExtensionMeta.mode]: 'mode changed',
  [ExtensionMeta.sharedWith]: 'somebody else may have changed it too',
  [ExtensionMeta.changedBetween]: 'changed between the turns',
  [ExtensionMeta.notFiltered]: 'its filter may not run here',
};

/** Folders before files, as in the tree. */
function comparePaths(a: string, b: string): number {
  const [as, bs] = [a.split('/'), b.split('/')];
  for (let i = 0; ; i++) {
    const [x, y] = [as[i], bs[i]];
    if (x === undefined || y === undefined) return as.length - bs.length;
    if (x === y) continue;
    const [xLast, yLast] = [i === as.length - 1, i === bs.length - 1];
    if (xLast !== yLast) return xLast ? 1 : -1;
    return x < y ? -1 : 1;
  }
}
