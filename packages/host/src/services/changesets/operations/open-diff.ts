import { fileUriIn } from '@moorage/protocol';
import { fileVersionUri } from '../files.js';
import type { Runner } from './job.js';

/** Makes one patch of the change, which clients read like any other content of the changeset. */
export const openDiff: Runner = async ({ aim, changes, editor, subject }) => {
  const patch = await editor.contents.patch(aim.kind === 'changeset' ? changes : [aim.change]);
  const id = await editor.contents.write(patch);
  const uri = fileVersionUri(subject.workspace.id, id, fileUriIn(subject.folderUri, 'changes.diff'));
  return { followUp: { content: { uri, contentType: 'text/x-diff', sizeHint: patch.length } } };
};
