import { FolderEditError } from '../../ports/folder-editor.js';
import type { IndexEntry, IndexMark } from '../../ports/user-index.js';
import { blobId } from './file-system.js';

export type Entries = Map<string, IndexEntry | undefined>;

export type RunGit = (args: readonly string[]) => Promise<Buffer>;

/** The entries of these paths with their marks. Rejects if one of them has a conflict: that is more than one entry. */
export async function readEntries(run: RunGit, paths: readonly string[]): Promise<Entries> {
  const listed = await run(['ls-files', '--stage', '-v', '-z', ...pathArguments(paths)]);
  const entries = pick(paths, listed, ([tag = '', mode = '', id = '', stage], path) => {
    if (stage !== '0') throw new FolderEditError('refused', describeConflict(path));
    return withMarks({ id, mode }, marksOf(tag));
  });
  for (const path of await intended(run, entries)) {
    const entry = entries.get(path);
    if (entry) entries.set(path, withMarks(entry, [...(entry.marks ?? []), 'intent-to-add']));
  }
  return entries;
}

/** Those of these entries that stand for a file that the user only intends to add (`git add -N`). */
export async function intended(run: RunGit, entries: Entries): Promise<string[]> {
  const empty = [...entries].flatMap(([path, entry]) => (entry && isEmptyBlob(entry.id) ? [path] : []));
  const found: string[] = [];
  for (let at = 0; at < empty.length; at += MAX_PATH_ARGUMENTS) {
    const listed = await run(['ls-files', '--debug', '-z', ...pathArguments(empty.slice(at, at + MAX_PATH_ARGUMENTS))]);
    found.push(...intendedIn(listed.toString()));
  }
  return found;
}

/** Passes a few paths as arguments. For many, git lists all paths, and `pick` selects among them. */
export function pathArguments(paths: readonly string[]): string[] {
  return paths.length <= MAX_PATH_ARGUMENTS ? ['--', ...paths] : [];
}

/** Paths on one command line. Stays below what systems allow even if all are long. */
export const MAX_PATH_ARGUMENTS = 100;

/** Reads records of git's form `<fields> TAB <path> NUL`. */
export function pick(
  paths: readonly string[],
  listed: Buffer,
  read: (fields: string[], path: string) => IndexEntry | undefined,
): Entries {
  const entries: Entries = new Map(paths.map((path) => [path, undefined]));
  for (const record of listed.toString().split('\0')) {
    const tab = record.indexOf('\t');
    const path = record.slice(tab + 1);
    if (tab > 0 && entries.has(path)) entries.set(path, read(record.slice(0, tab).split(' '), path));
  }
  return entries;
}

function describeConflict(path: string): string {
  return `${path} has a conflict; resolve it, mark it as resolved with git add, and try again. Nothing was changed.`;
}

/** Git's tag is S for skip-worktree, and in lower case for assume-unchanged. */
function marksOf(tag: string): IndexMark[] {
  const upper = tag.toUpperCase();
  return [
    ...(upper === 'S' ? (['skip-worktree'] as const) : []),
    ...(tag !== upper ? (['assume-unchanged'] as const) : []),
  ];
}

function withMarks({ id, mode }: IndexEntry, marks: readonly IndexMark[]): IndexEntry {
  return { id, mode, ...(marks.length > 0 && { marks }) };
}

function isEmptyBlob(id: string): boolean {
  return id === blobId(new Uint8Array(), id.length === 64 ? 'sha256' : 'sha1');
}

/** Git shows this mark nowhere but in `--debug`: path, NUL, then five lines, the last of which has the flags. */
function intendedIn(listed: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < listed.length; ) {
    const end = listed.indexOf('\0', at);
    DETAILS.lastIndex = end + 1;
    const details = end < 0 ? undefined : DETAILS.exec(listed);
    if (!details) throw new FolderEditError('refused', 'this version of git lists its index in an unknown way');
    if ((Number.parseInt(details[1] ?? '', 16) & INTENT_TO_ADD) !== 0) found.push(listed.slice(at, end));
    at = DETAILS.lastIndex;
  }
  return found;
}

const DETAILS = /(?: {2}.*\n){4} {2}size: \d+\tflags: ([0-9a-f]+)\n/y;

/** Git's CE_INTENT_TO_ADD, the same in all versions of the index that have it. */
const INTENT_TO_ADD = 1 << 29;
