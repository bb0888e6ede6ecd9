import type { ActionOf } from '@moorage/protocol';
import type { Workspaces } from '../../../ports/workspace.js';
import type { ChangesetService } from '../changeset-service.js';
import { changesetFileId } from '../files.js';
import { setReviewed } from '../reviewed.js';
import type { Subject } from '../subject.js';

type ReviewChanged = Extract<ActionOf<'changeset'>, { type: 'changeset/filesReviewChanged' }>;

/** Keeps what a client said was reviewed, or no longer is, with the changes as they are now. */
export async function keepReviewMarks(
  { files, reviewed }: ReviewChanged,
  subject: Subject,
  changesets: ChangesetService,
  workspaces: Workspaces,
): Promise<void> {
  const ids = new Set(files);
  const changes = (await subject.changes()).filter((change) => ids.has(changesetFileId(subject.folderUri, change)));
  const { contents } = workspaces.editor(subject.folder);
  const marks = changes.map((change) => ({ change }));
  const of = { uri: subject.uri, session: subject.session.uri };
  await setReviewed(changesets.journal, contents, of, marks, reviewed);
  await changesets.changed(subject.workspace, subject.session.uri);
}
