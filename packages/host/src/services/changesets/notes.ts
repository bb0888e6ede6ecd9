import type { ExtensionMeta } from '@moorage/protocol';
import type { FolderEditor } from '../../ports/folder-editor.js';
import type { FileChange } from '../../ports/workspace.js';
import type { OperationJournal } from './journal.js';
import { type ReviewNote, reviewNotes } from './reviewed.js';
import type { Subject } from './subject.js';
import { pathOf } from './words.js';

/** Notes on a changed file, by the names of the members of `_meta` that they become. */
export type FileNotes = Readonly<Partial<Record<ExtensionMeta, unknown>>>;

/** A change with notes from operations. */
export interface ShownChange extends FileChange {
  readonly notes?: FileNotes & Pick<ReviewNote, 'reviewed'>;
}

/** Notes on each file what was reviewed and, among uncommitted changes, whether it is staged. */
export async function withNotes(
  { uri, selector }: Pick<Subject, 'uri' | 'selector'>,
  { journal, editor }: { journal: OperationJournal; editor: FolderEditor },
  changes: readonly FileChange[],
): Promise<readonly ShownChange[]> {
  const reviewed = await reviewNotes(journal, editor.contents, uri, changes);
  const staged = selector.kind === 'uncommitted' && changes.length > 0 ? await stagedPaths(editor) : NONE;
  if (reviewed.size + staged.size === 0) return changes; // the same objects, which ChangesetChannel recognizes
  return changes.map((change) => {
    const { before, after } = change;
    const note = reviewed.get(pathOf(change));
    const isStaged = [before, after].some((version) => version !== undefined && staged.has(version.path));
    if (!note && !isStaged) return change;
    return { ...change, notes: { ...note, ...(isStaged && { staged: true }) } };
  });
}

const NONE: ReadonlySet<string> = new Set();

/** Empty without a repository, or if the repository cannot be read: the files are shown all the same. */
async function stagedPaths(editor: FolderEditor): Promise<ReadonlySet<string>> {
  return editor.index.staged({ asTold: true }).then(
    (entries) => new Set(entries.keys()),
    () => NONE,
  );
}
