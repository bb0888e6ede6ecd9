import type { Hunk } from '../../../ports/contents.js';
import type { FileChange, FileVersion } from '../../../ports/workspace.js';
import { contentOf } from '../file-hunks.js';
import { exchangeHunks } from '../hunks.js';
import { NothingToDo } from '../refused.js';
import type { Reversal } from '../three-way.js';
import { nameOf, pathOf } from '../words.js';
import type { Job, Runner } from './job.js';
import { revertedIndex } from './revert-index.js';
import { isShared, ownHunks } from './shared-hunks.js';
import { reversalOf } from './take-back.js';

/** Takes back the changeset, a file of it, or the hunks that a range touches. */
export const revert: Runner = async (job) => {
  const { aim, changes, subject } = job;
  const reversals = await reversalsOf(job);
  const left = aim.kind === 'changeset' ? changes.filter(isShared) : [];
  if (reversals.length === 0 && left.length > 0) throw new NothingToDo(`Nothing was changed. ${askFor(left)}`);
  const label = `the revert of ${nameOf(job)}`;
  const isHistory = subject.selector.kind === 'turn' || subject.selector.kind === 'compare-turns';
  const index = await revertedIndex(job, reversals);
  await job.perform({ label, reversals, index, ...(isHistory && { view: reversals }) });
  const what = aim.kind === 'range' ? `lines of ${nameOf(job)}` : nameOf(job);
  return { message: `Reverted ${what}.${left.length > 0 ? ` ${askFor(left)}` : ''}` };
};

/** Nobody's work is taken back without having been named. */
function askFor(left: readonly FileChange[]): string {
  return `Somebody else may have made changes of ${left.map(pathOf).join(', ')}: those are reverted only by file or by lines.`;
}

/** What takes back the changes that the job is about. */
export async function reversalsOf(job: Job): Promise<Reversal[]> {
  const { aim, changes } = job;
  if (aim.kind === 'changeset') {
    const present = changes.filter(isPresent);
    const whole = await wholeFiles(
      job,
      present.filter((change) => !isShared(change)),
    );
    const parts = await Promise.all(present.filter(isShared).map((change) => ownPart(job, change)));
    return [...whole, ...parts.flat()];
  }
  const { change } = aim;
  if (!isPresent(change)) return [];
  // A created or deleted file has a single hunk: taking that back takes back the whole file.
  if (aim.kind === 'resource' || !change.before || !change.after) return wholeFiles(job, [change]);
  return hunksOnly(job, change, aim.hunks);
}

/** What is only staged is not in the files. */
function isPresent({ onlyStaged }: FileChange): boolean {
  return !onlyStaged;
}

/** Leaves the hunks that somebody else may have made. */
async function ownPart(job: Job, change: FileChange): Promise<Reversal[]> {
  const hunks = await ownHunks(job.editor.contents, change);
  return hunks.length > 0 ? hunksOnly(job, change, hunks) : [];
}

async function hunksOnly(job: Job, { before, after }: FileChange, hunks: readonly Hunk[]): Promise<Reversal[]> {
  if (!before || !after) return [];
  return [{ base: onDisk(after), wanted: await withoutHunks(job, before, after, hunks) }];
}

/** Exchanges lines on disk if they are those that git stores, but for their ends; otherwise git converts the result. */
async function withoutHunks(
  { subject, editor: { contents, index } }: Job,
  before: FileVersion,
  after: FileVersion,
  hunks: readonly Hunk[],
): Promise<FileVersion> {
  const { path, mode } = after;
  const [old, now] = [await contentOf(contents, before.contentId), await contentOf(contents, after.contentId)];
  const disk = after.onDisk === undefined ? now : await contentOf(contents, after.onDisk);
  if (!hasSameLines(disk, now)) {
    const id = await index.store(exchangeHunks(now, old, 'after', hunks));
    return { path, mode, contentId: await index.fromIndex(path, { id, mode }) };
  }
  const isStored = isStoredForm(subject.selector.kind) && disk.includes(CR);
  const former = isStored ? (await index.asOnDisk([before])).get(before.path) : undefined;
  const lines = former ? await contentOf(contents, former.contentId) : old;
  return { path, mode, contentId: await contents.write(exchangeHunks(disk, lines, 'after', hunks)) };
}

const CR = 0x0d;

function hasSameLines(disk: Uint8Array, stored: Uint8Array): boolean {
  if (disk === stored) return true;
  const withoutCr = (text: Uint8Array) => Buffer.from(text).toString('latin1').replaceAll('\r\n', '\n');
  return withoutCr(disk) === withoutCr(stored);
}

/** What is on disk, where git stores the file in another form. */
function onDisk(version: FileVersion): FileVersion {
  return version.onDisk === undefined ? version : { ...version, contentId: version.onDisk };
}

/** Uses the form on disk of committed files, which may differ: other line ends, or a pointer to large content. */
async function wholeFiles({ subject, editor }: Job, changes: readonly FileChange[]): Promise<Reversal[]> {
  if (!isStoredForm(subject.selector.kind)) return changes.map(reversalOf);
  const committed = await editor.index.asOnDisk(changes.flatMap(({ before }) => before ?? []));
  return changes.map(({ before, after }) => ({
    base: after && onDisk(after),
    wanted: before && (committed.get(before.path) ?? before),
  }));
}

/** Whether the changeset has its files as git stores them; others have them as they are on disk. */
function isStoredForm(kind: string): boolean {
  return kind === 'uncommitted' || kind === 'branch';
}
