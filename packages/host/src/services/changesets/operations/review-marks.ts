import type { ActionOf, ChangesetFile } from '@moorage/protocol';
import type { Workspaces } from '../../../ports/workspace.js';
import { asShown } from '../as-shown.js';
import type { ChangesetService } from '../changeset-service.js';
import { changesetFileId } from '../files.js';
import { reviewable, setReviewed } from '../reviewed.js';
import type { FolderSubject } from '../subject.js';

export type ReviewChanged = Extract<ActionOf<'changeset'>, { type: 'changeset/filesReviewChanged' }>;

/**
 * Keeps what a client said was reviewed in a folder, or no longer is, with the changes as they were shown: what has changed
 * since then was seen by nobody.
 */
export async function keepReviewMarks(
  { files, reviewed }: ReviewChanged,
  shown: readonly ChangesetFile[],
  subject: FolderSubject,
  changesets: ChangesetService,
  workspaces: Workspaces,
): Promise<void> {
  const ids = new Set(files);
  const changes = (await subject.changes()).filter((change) => ids.has(changesetFileId(subject.folderUri, change)));
  const { contents } = workspaces.editor(subject.folder);
  const marks = changes.map((change) => ({ change: asShown(shown, subject.folderUri, change) }));
  await setReviewed(changesets.journal, contents, reviewable(subject), marks, reviewed);
  changesets.changed(subject.session.uri);
}
