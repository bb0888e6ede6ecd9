import type { Hunk } from '../../../ports/contents.js';
import type { FileChange, FileVersion } from '../../../ports/workspace.js';
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
  const { aim, changes } = job;
  const present = (aim.kind === 'changeset' ? changes : [aim.change]).filter(({ onlyStaged }) => !onlyStaged);
  if (aim.kind !== 'range' || present.length === 0) return wholeFiles(job, present);
  const { before, after } = aim.change;
  // A created or deleted file has a single hunk: taking that back takes back the whole file.
  if (!before || !after) return wholeFiles(job, [aim.change]);
  return [{ base: onDisk(after), wanted: await withoutHunks(job, before, after, aim.hunks) }];
}

/** Exchanges lines on disk if they are those that git stores, but for their ends; otherwise git converts the result. */
async function withoutHunks(
  { editor: { contents, index } }: Job,
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
  const former = disk.includes(CR) ? (await index.asOnDisk([before])).get(before.path) : undefined;
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
  const { kind } = subject.selector;
  if (kind !== 'uncommitted' && kind !== 'branch') return changes.map(reversalOf);
  const committed = await editor.index.asOnDisk(changes.flatMap(({ before }) => before ?? []));
  return changes.map(({ before, after }) => ({
    base: after && onDisk(after),
    wanted: before && (committed.get(before.path) ?? before),
  }));
}
