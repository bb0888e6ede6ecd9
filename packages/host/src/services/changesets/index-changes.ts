import type { IndexEntry, UserIndex } from '../../ports/user-index.js';
import type { FileChange, FileVersion, PresentOptions, Workspace } from '../../ports/workspace.js';
import { pathOf } from './words.js';

/**
 * Adds to the changes on disk those that are only in the index: they would be in the next commit. Also adds files with a
 * conflict that are on disk as in the last commit.
 */
export async function withIndexChanges(
  changes: readonly FileChange[],
  workspace: Workspace,
  index: UserIndex,
  { freshness }: PresentOptions,
): Promise<readonly FileChange[]> {
  const { staged, conflicted } = await index.status({ freshness });
  const shown = new Set(changes.flatMap(({ before, after }) => [before?.path, after?.path]));
  const hidden = [...staged].filter(([path]) => !shown.has(path));
  const undecided = [...conflicted].filter((path) => !shown.has(path));
  if (hidden.length + undecided.length === 0) return changes; // the same objects, which ChangesetChannel recognizes
  const before = hidden.flatMap(([path, { committed }]) => versionOf(path, committed));
  const after = hidden.flatMap(([path, { entry }]) => versionOf(path, entry));
  const onlyStaged = await workspace.compare(await workspace.compose(before), await workspace.compose(after));
  const committed = undecided.length > 0 ? await index.committed(undecided) : new Map<string, undefined>();
  const all = [
    ...changes,
    ...onlyStaged.map((change) => ({ ...change, onlyStaged: true })),
    ...[...committed].flatMap(([path, entry]) => versionOf(path, entry).map(unchanged)),
  ];
  return all.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
}

function versionOf(path: string, entry: IndexEntry | undefined): FileVersion[] {
  return entry ? [{ path, contentId: entry.id, mode: entry.mode }] : [];
}

function unchanged(version: FileVersion): FileChange {
  return { before: version, after: version, added: 0, removed: 0 };
}
