import type { ActionOf, ChangesetFile } from '@moorage/protocol';
import type { FileChange, FileVersion, Workspaces } from '../../../ports/workspace.js';
import type { ChangesetService } from '../changeset-service.js';
import { changesetFileId, parseFileVersionUri } from '../files.js';
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
  const marks = changes.map((change) => {
    const id = changesetFileId(subject.folderUri, change);
    return { change: asShown(change, shown.find((file) => file.id === id)?.edit) };
  });
  await setReviewed(changesets.journal, contents, reviewable(subject), marks, reviewed);
  await changesets.changed(subject.session.uri);
}

function asShown(change: FileChange, edit: ChangesetFile['edit'] | undefined): FileChange {
  const { before, after } = change;
  return {
    ...change,
    ...(before && { before: versionShown(before, edit?.before) }),
    ...(after && { after: versionShown(after, edit?.after) }),
  };
}

function versionShown(version: FileVersion, side: ChangesetFile['edit']['after']): FileVersion {
  const { contentId = version.contentId } = (side && parseFileVersionUri(side.content.uri)) ?? {};
  return { ...version, contentId };
}
