import type { FileChange } from '../../ports/workspace.js';
import { changesetFileId } from './files.js';
import type { FolderSubject, Subject } from './subject.js';

/** The file with this id in a changeset, and the folder that it is in; undefined if there is none. */
export async function findFile(
  subject: Subject,
  id: string,
): Promise<{ readonly folder: FolderSubject; readonly change: FileChange } | undefined> {
  for (const folder of subject.folders()) {
    const change = (await folder.changes()).find((one) => changesetFileId(folder.folderUri, one) === id);
    if (change) return { folder, change };
  }
  return undefined;
}
