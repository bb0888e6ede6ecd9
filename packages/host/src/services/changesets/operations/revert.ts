import type { Hunk } from '../../../ports/contents.js';
import { FolderEditError } from '../../../ports/folder-editor.js';
import type { IndexEntry, IndexStatus } from '../../../ports/user-index.js';
import type { FileChange, FileVersion } from '../../../ports/workspace.js';
import { contentOf } from '../file-hunks.js';
import { exchangeHunks } from '../hunks.js';
import type { IndexStep } from '../journal.js';
import { NothingToDo, OperationRefused } from '../refused.js';
import { type Reversal, reversalOf, threeWay } from '../three-way.js';
import { nameOf, pathOf } from '../words.js';
import type { Job, Runner } from './job.js';
import { isShared, ownHunks } from './shared-hunks.js';
import { asCommitted, indexSteps, isPart, pathsOf, unstagedPart } from './staging.js';

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

type Entries = ReadonlyMap<string, IndexEntry | undefined>;

/**
 * Takes the same changes out of the index as out of the files, so that no later commit has them. Entries with a conflict
 * stay as they are: they cannot be committed.
 */
async function revertedIndex(job: Job, reversals: readonly Reversal[]): Promise<IndexStep[]> {
  const { editor, subject, aim, changes } = job;
  const status = await statusOf(job);
  if (!status || status.staged.size === 0) return [];
  if (subject.selector.kind !== 'uncommitted')
    return indexSteps(editor.index, await withoutChanges(job, status, reversals));
  const paths = pathsOf(aim.kind === 'changeset' ? changes : [aim.change]).filter((path) => status.staged.has(path));
  if (paths.length === 0) return [];
  return indexSteps(editor.index, isPart(aim) ? await unstagedPart(job, aim) : await asCommitted(editor.index, paths));
}

/** Undefined without a repository. */
async function statusOf({ editor, subject }: Job): Promise<IndexStatus | undefined> {
  try {
    return await editor.index.status({ freshness: 'exact' });
  } catch (error) {
    if (error instanceof FolderEditError && !(await subject.workspace.describe({ freshness: 'exact' })).git)
      return undefined;
    throw error;
  }
}

/** What is staged without the changes that are taken back, as far as they are staged. */
async function withoutChanges(
  { editor }: Job,
  { staged }: IndexStatus,
  reversals: readonly Reversal[],
): Promise<Entries> {
  const { index, contents } = editor;
  const wanted = new Map<string, IndexEntry | undefined>();
  for (const { base, wanted: former } of reversals) {
    const path = base?.path ?? former?.path ?? '';
    const entry = staged.get(path)?.entry;
    if (!staged.has(path) || (!base && entry)) continue;
    const store = async (version: FileVersion | undefined) =>
      version && isRegular(version)
        ? { ...version, contentId: await index.toIndex(version.path, await contentOf(contents, version.contentId)) }
        : version;
    const ours = entry && { path, contentId: entry.id, mode: entry.mode };
    const outcome = await threeWay(contents, path, { base: await store(base), ours, theirs: await store(former) });
    if ('problem' in outcome)
      throw new OperationRefused(
        `Nothing was changed. Of ${path} something else is staged (${outcome.problem}); unstage it first.`,
      );
    const { result } = outcome;
    const to = result && { id: result.contentId, mode: result.mode, ...(entry?.marks && { marks: entry.marks }) };
    if (former && base && former.path !== base.path) {
      wanted.set(path, undefined);
      if (staged.has(former.path) && !staged.get(former.path)?.entry) wanted.set(former.path, to);
    } else wanted.set(path, to);
  }
  return wanted;
}

function isRegular({ mode }: FileVersion): boolean {
  return mode.startsWith('100');
}
