import type { Contents, Hunk } from '../../../ports/contents.js';
import type { FileChange } from '../../../ports/workspace.js';
import { contentOf } from '../file-hunks.js';
import { exchangeHunks } from '../hunks.js';
import { OperationRefused } from '../refused.js';
import type { Reversal } from '../three-way.js';
import { nameOf, pathOf } from '../words.js';
import type { Job, Runner } from './job.js';
import { isShared, ownHunks } from './shared-hunks.js';
import { reversalOf } from './take-back.js';

/** Takes back the changeset, a file of it, or the hunks that a range touches. */
export const revert: Runner = async (job) => {
  const { aim, changes, subject } = job;
  const reversals = await reversalsOf(job);
  const left = aim.kind === 'changeset' ? changes.filter(isShared) : [];
  if (reversals.length === 0) throw new OperationRefused(`Nothing was changed. ${askFor(left)}`);
  const label = `the revert of ${nameOf(job)}`;
  const isHistory = subject.selector.kind === 'turn' || subject.selector.kind === 'compare-turns';
  await job.perform({ label, reversals, ...(isHistory && { view: reversals }) });
  const what = aim.kind === 'range' ? `lines of ${nameOf(job)}` : nameOf(job);
  return { message: `Reverted ${what}.${left.length > 0 ? ` ${askFor(left)}` : ''}` };
};

/** Nobody's work is taken back without having been named. */
function askFor(left: readonly FileChange[]): string {
  return `Somebody else may have made changes of ${left.map(pathOf).join(', ')}: those are reverted only by file or by lines.`;
}

async function reversalsOf(job: Job): Promise<Reversal[]> {
  const { aim, changes, editor } = job;
  if (aim.kind === 'changeset') {
    const whole = await wholeFiles(
      job,
      changes.filter((change) => !isShared(change)),
    );
    const parts = await Promise.all(changes.filter(isShared).map((change) => ownPart(job, change)));
    return [...whole, ...parts.flat()];
  }
  if (aim.kind === 'resource') return wholeFiles(job, [aim.change]);
  // A created or deleted file has a single hunk: taking that back takes back the whole file.
  if (!aim.change.before || !aim.change.after) return wholeFiles(job, [aim.change]);
  return hunksOnly(editor.contents, aim.change, aim.hunks);
}

/** Leaves the hunks that somebody else may have made. */
async function ownPart({ editor }: Job, change: FileChange): Promise<Reversal[]> {
  const hunks = await ownHunks(editor.contents, change);
  return hunks.length > 0 ? hunksOnly(editor.contents, change, hunks) : [];
}

async function hunksOnly(
  contents: Contents,
  { before, after }: FileChange,
  hunks: readonly Hunk[],
): Promise<Reversal[]> {
  if (!before || !after) return [];
  const old = await contentOf(contents, before.contentId);
  const now = await contentOf(contents, after.contentId);
  const contentId = await contents.write(exchangeHunks(now, old, 'after', hunks));
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
