import type { Contents, Hunk } from '../../ports/contents.js';
import type { IndexStatus } from '../../ports/user-index.js';
import type { FileChange, FileVersion } from '../../ports/workspace.js';
import { contentOf, hunksOf } from './file-hunks.js';
import { hunkText } from './hunks.js';
import type { FileNotes } from './notes.js';

/** What of a change is in the index; undefined if nothing is. */
export async function indexNotes(
  contents: Contents,
  { staged, conflicted }: IndexStatus,
  change: FileChange,
): Promise<FileNotes | undefined> {
  const paths = pathsOf(change);
  if (paths.some((path) => conflicted.has(path))) return { conflicted: true };
  if (!paths.some((path) => staged.has(path))) return undefined;
  if (change.onlyStaged) return { staged: true, onlyStaged: true };
  if (paths.every((path) => staged.has(path) && isSame(staged.get(path)?.entry, versionAt(change, path))))
    return { staged: true };
  const stagedHunks = await hunksInIndex(contents, staged, change).catch(() => undefined); // a content is not kept
  return { staged: true, partlyStaged: true, ...(stagedHunks && stagedHunks.length > 0 && { stagedHunks }) };
}

/** The hunks of a change that the index has just like that. */
async function hunksInIndex(
  contents: Contents,
  staged: IndexStatus['staged'],
  change: FileChange,
): Promise<Hunk[] | undefined> {
  const { before, after } = change;
  const entry = after && staged.get(after.path)?.entry;
  if (!before || !entry) return undefined;
  const inIndex = { before, after: { path: after.path, contentId: entry.id, mode: entry.mode } };
  const known = new Set((await namedHunks(contents, inIndex)).map(({ name }) => name));
  return (await namedHunks(contents, change)).flatMap(({ hunk, name }) => (known.has(name) ? [hunk] : []));
}

async function namedHunks(contents: Contents, change: FileChange): Promise<{ hunk: Hunk; name: string }[]> {
  const { before, after } = change;
  const hunks = await hunksOf(contents, change);
  if (!before || !after || !hunks) return [];
  const texts = [await contentOf(contents, before.contentId), await contentOf(contents, after.contentId)] as const;
  return hunkText(...texts, hunks).map(({ hunk, added }) => {
    const { start, count } = hunk.before;
    return { hunk, name: `${start} ${count} ${Buffer.from(added).toString('latin1')}` };
  });
}

function pathsOf({ before, after }: FileChange): string[] {
  return [...new Set([before?.path, after?.path])].filter((path) => path !== undefined);
}

function versionAt({ after }: FileChange, path: string): FileVersion | undefined {
  return after?.path === path ? after : undefined;
}

function isSame(entry: { id: string; mode: string } | undefined, version: FileVersion | undefined): boolean {
  return entry?.id === version?.contentId && entry?.mode === version?.mode;
}
