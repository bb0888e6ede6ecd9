import type { FileChange } from '../../../ports/workspace.js';
import { contentOf } from '../file-hunks.js';
import { exchangeHunks } from '../hunks.js';
import type { Reversal } from '../three-way.js';
import { nameOf } from '../words.js';
import type { Job, Runner } from './job.js';
import { revertedIndex } from './revert-index.js';
import { reversalOf } from './take-back.js';

/** Takes back the changeset, a file of it, or the hunks that a range touches. */
export const revert: Runner = async (job) => {
  const { aim, subject } = job;
  const reversals = await reversalsOf(job);
  const label = `the revert of ${nameOf(job)}`;
  const isHistory = subject.selector.kind === 'turn' || subject.selector.kind === 'compare-turns';
  const index = await revertedIndex(job, reversals);
  await job.perform({ label, reversals, index, ...(isHistory && { view: reversals }) });
  const what = aim.kind === 'range' ? `lines of ${nameOf(job)}` : nameOf(job);
  return { message: `Reverted ${what}.` };
};

async function reversalsOf(job: Job): Promise<Reversal[]> {
  const { aim, changes, editor } = job;
  const onDisk = (aim.kind === 'changeset' ? changes : [aim.change]).filter(({ onlyStaged }) => !onlyStaged);
  if (aim.kind !== 'range' || onDisk.length === 0) return wholeFiles(job, onDisk);
  const { before, after } = aim.change;
  // A created or deleted file has a single hunk: taking that back takes back the whole file.
  if (!before || !after) return wholeFiles(job, [aim.change]);
  const old = await contentOf(editor.contents, before.contentId);
  const now = await contentOf(editor.contents, after.contentId);
  const contentId = await editor.contents.write(exchangeHunks(now, old, 'after', aim.hunks));
  return [{ base: after, wanted: { path: after.path, mode: after.mode, contentId } }];
}

/** Uses the form on disk of committed files, which may differ: other line ends, or a pointer to large content. */
async function wholeFiles({ subject, editor }: Job, changes: readonly FileChange[]): Promise<Reversal[]> {
  const { kind } = subject.selector;
  const reversals = changes.map(reversalOf);
  if (kind !== 'uncommitted' && kind !== 'branch') return reversals;
  const onDisk = await editor.index.asOnDisk(changes.flatMap(({ before }) => before ?? []));
  return reversals.map(({ base, wanted }) => ({ base, wanted: wanted && (onDisk.get(wanted.path) ?? wanted) }));
}
