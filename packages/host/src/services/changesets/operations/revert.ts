import { contentOf } from './file-hunks.js';
import { exchangeHunks } from './hunks.js';
import type { Job, Runner } from './job.js';
import { type Reversal, reversalOf } from './take-back.js';

/** Takes back the changeset, a file of it, or the hunks that a range touches. */
export const revert: Runner = async (job) => {
  const { aim, subject } = job;
  const reversals = await reversalsOf(job);
  const label = `the revert of ${nameOf(job)}`;
  const isHistory = subject.selector.kind === 'turn' || subject.selector.kind === 'compare-turns';
  await job.perform({ label, reversals, ...(isHistory && { view: reversals }) });
  const what = aim.kind === 'range' ? `lines of ${nameOf(job)}` : nameOf(job);
  return { message: `Reverted ${what}.` };
};

async function reversalsOf({ aim, changes, tree }: Job): Promise<Reversal[]> {
  if (aim.kind === 'changeset') return changes.map(reversalOf);
  if (aim.kind === 'resource') return [reversalOf(aim.change)];
  const { before, after } = aim.change;
  // A file that is only on one side has one hunk: to take that back is to take the file back.
  if (!before || !after) return [reversalOf(aim.change)];
  const old = await contentOf(tree.contents, before.contentId);
  const now = await contentOf(tree.contents, after.contentId);
  const contentId = await tree.contents.write(exchangeHunks(now, old, 'after', aim.hunks));
  return [{ base: after, wanted: { path: after.path, mode: after.mode, contentId } }];
}

/** What an operation works on, for people. */
export function nameOf({ aim, changes }: Pick<Job, 'aim' | 'changes'>): string {
  if (aim.kind !== 'changeset') return aim.change.after?.path ?? aim.change.before?.path ?? '';
  const [only] = changes;
  if (changes.length === 1 && only) return only.after?.path ?? only.before?.path ?? '';
  return `${changes.length} files`;
}
