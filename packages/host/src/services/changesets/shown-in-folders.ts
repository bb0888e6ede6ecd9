import type { ChangesetFile } from '@moorage/protocol';
import type { FolderEditor } from '../../ports/folder-editor.js';
import type { CompareOptions } from '../../ports/workspace.js';
import { changesetFileId, toChangesetFile } from './files.js';
import type { OperationJournal } from './journal.js';
import { type ShownChange, withNotes } from './notes.js';
import type { FolderSubject, Subject } from './subject.js';

type NotesIn = (folder: string) => { readonly journal: OperationJournal; readonly editor: FolderEditor };

/** The changes of a changeset in all folders of its session, as one list. Remembers in which folder each of them is. */
export class ShownInFolders {
  readonly #subject: Subject;
  readonly #notesIn: NotesIn;
  readonly #folders = new WeakMap<ShownChange, FolderSubject>();

  constructor(subject: Subject, notesIn: NotesIn) {
    this.#subject = subject;
    this.#notesIn = notesIn;
  }

  async compute({ signal, onFirst }: CompareOptions): Promise<readonly ShownChange[]> {
    const lists = await Promise.all(
      this.#subject.folders().map(async (folder) => {
        const remember = (changes: readonly ShownChange[]) => {
          for (const change of changes) this.#folders.set(change, folder);
          return changes;
        };
        const changes = await folder.changes({
          freshness: 'watched', // the watcher refreshes it
          signal,
          ...(onFirst && { onFirst: (first) => onFirst(remember(first)) }),
        });
        return remember(await withNotes(folder, this.#notesIn(folder.folder), changes));
      }),
    );
    return lists.flat();
  }

  readonly idOf = (change: ShownChange): string => changesetFileId(this.#folderOf(change).folderUri, change);

  readonly toFile = (change: ShownChange): ChangesetFile => {
    const { folderUri, workspace } = this.#folderOf(change);
    return toChangesetFile(folderUri, workspace.id, change);
  };

  #folderOf(change: ShownChange): FolderSubject {
    const folder = this.#folders.get(change);
    if (!folder) throw new Error('a change that was not computed here');
    return folder;
  }
}
