import type { ChangesetFile, URI } from '@moorage/protocol';
import type { FileChange, FileVersion } from '../../ports/workspace.js';
import { changesetFileId, parseFileVersionUri } from './files.js';

/** A change with the contents that clients have been shown: what they say of it is about these, whatever the file is by now. */
export function asShown(shown: readonly ChangesetFile[], folder: URI, change: FileChange): FileChange {
  const { before, after } = change;
  const id = changesetFileId(folder, change);
  const edit = shown.find((file) => file.id === id)?.edit;
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
