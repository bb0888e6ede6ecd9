import { fileUriIn, type InvokeChangesetOperationResult } from '@moorage/protocol';
import { fileVersionUri } from '../files.js';
import type { Job, Runner } from './job.js';

/** Makes one patch of the change, which clients read like any other content of the changeset. */
export const openDiff: Runner = async (job) => shown(job, await patchOf(job));

/** One text for several folders. Each part begins with its folder, because a patch is applied in one of them. */
export async function openDiffOfAll(jobs: readonly Job[]): Promise<InvokeChangesetOperationResult> {
  const parts = await Promise.all(
    jobs.map(async (job) => [Buffer.from(`In ${job.subject.folder}:\n`), await patchOf(job)]),
  );
  const [first] = jobs;
  return first ? shown(first, Buffer.concat(parts.flat())) : {};
}

function patchOf({ aim, changes, editor }: Job): Promise<Uint8Array> {
  return editor.contents.patch(aim.kind === 'changeset' ? changes : [aim.change]);
}

async function shown({ editor, subject }: Job, patch: Uint8Array): Promise<InvokeChangesetOperationResult> {
  const id = await editor.contents.write(patch);
  const uri = fileVersionUri(subject.workspace.id, id, fileUriIn(subject.folderUri, 'changes.diff'));
  return { followUp: { content: { uri, contentType: 'text/x-diff', sizeHint: patch.length } } };
}
