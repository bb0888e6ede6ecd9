import type { ExtensionMeta } from '@moorage/protocol';
import type { FolderEditor } from '../../ports/folder-editor.js';
import type { IndexStatus } from '../../ports/user-index.js';
import type { FileChange } from '../../ports/workspace.js';
import { indexNotes } from './index-notes.js';
import type { OperationJournal } from './journal.js';
import { type ReviewNote, reviewable, reviewNotes } from './reviewed.js';
import type { FolderSubject } from './subject.js';
import { pathOf } from './words.js';

/** Notes on a changed file, by the names of the members of `_meta` that they become. */
export type FileNotes = Readonly<Partial<Record<ExtensionMeta, unknown>>>;

/** A change with notes from operations. */
export interface ShownChange extends FileChange {
  readonly notes?: FileNotes & Pick<ReviewNote, 'reviewed'>;
}

/** Notes on each file what was reviewed and, among uncommitted changes, what is in the index. */
export async function withNotes(
  subject: Pick<FolderSubject, 'uri' | 'session' | 'selector' | 'key'>,
  { journal, editor }: { journal: OperationJournal; editor: FolderEditor },
  changes: readonly FileChange[],
): Promise<readonly ShownChange[]> {
  const reviewed = await reviewNotes(journal, editor.contents, reviewable(subject), changes);
  const index = subject.selector.kind === 'uncommitted' && changes.length > 0 ? await indexStatus(editor) : NOTHING;
  // The same objects, which ChangesetChannel recognizes.
  if (reviewed.size + index.staged.size + index.conflicted.size === 0) return changes;
  const noted: ShownChange[] = [];
  for (const change of changes) {
    const note = reviewed.get(pathOf(change));
    const inIndex = await indexNotes(editor.contents, index, change);
    noted.push(note || inIndex ? { ...change, notes: { ...note, ...inIndex } } : change);
  }
  return noted;
}

const NOTHING: IndexStatus = { staged: new Map(), conflicted: new Set() };

/** Empty without a repository, or if the repository cannot be read: the files are shown all the same. */
function indexStatus(editor: FolderEditor): Promise<IndexStatus> {
  return editor.index.status({ freshness: 'watched' }).catch(() => NOTHING);
}
