import type { FolderEditor } from '../../../ports/folder-editor.js';
import { FolderError } from '../../../ports/folders.js';
import type { FileVersion } from '../../../ports/workspace.js';
import { uriOfPath } from '../../resources/file-uri.js';
import { contentOf } from '../file-hunks.js';
import { OperationRefused } from '../refused.js';
import type { Reversal } from '../three-way.js';
import { nameOf } from '../words.js';
import type { Job, Runner } from './job.js';
import { reversalsOf } from './revert.js';

/**
 * Makes the same change in the repository's main work tree: what a revert would take back here is the change, and it is
 * merged there with what is on disk. A step of that folder's history; nothing changes here.
 */
export const takeAlong: Runner = async (job) => {
  const folder = await mainFolder(job);
  const changes = (await reversalsOf(job)).map(({ base, wanted }): Reversal => ({ base: wanted, wanted: base }));
  if (changes.length === 0) throw new OperationRefused('There is nothing to take along; nothing was changed.');
  await job.elsewhere(folder, async (editor) => {
    for (const { base, wanted } of changes) {
      for (const version of [base, wanted]) await bring(job, editor, version);
    }
    return { label: `what was taken along of ${nameOf(job)}`, reversals: changes };
  });
  return { message: `Took ${nameOf(job)} along to ${folder}.` };
};

async function mainFolder({ editor, context }: Job): Promise<string> {
  const folder = await editor.repository.mainFolder();
  if (folder === undefined) throw new OperationRefused('The repository has no other work tree to take it to.');
  try {
    return context.folders.resolve(uriOfPath(folder));
  } catch (error) {
    if (error instanceof FolderError) throw new OperationRefused(`${error.message}; nothing was changed`);
    throw error;
  }
}

/** Each folder has a store of its own. */
async function bring({ editor }: Job, target: FolderEditor, version: FileVersion | undefined): Promise<void> {
  if (!version || version.mode === '160000' || (await target.contents.read(version.contentId))) return;
  await target.contents.write(await contentOf(editor.contents, version.contentId));
}
