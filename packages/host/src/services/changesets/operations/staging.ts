import type { Hunk } from '../../../ports/contents.js';
import type { IndexEntry, IndexMark, UserIndex } from '../../../ports/user-index.js';
import type { FileChange } from '../../../ports/workspace.js';
import { contentOf } from '../file-hunks.js';
import { isSameEntry } from '../index-entries.js';
import type { IndexStep } from '../journal.js';
import { OperationRefused } from '../refused.js';
import { fileCount, nameOf } from '../words.js';
import { replaceInIndex, type Version } from './index-regions.js';
import type { Job, Runner } from './job.js';
import type { Aim } from './target.js';

type Entries = ReadonlyMap<string, IndexEntry | undefined>;
type RangeAim = Extract<Aim, { kind: 'range' }>;

/** Puts changes into the index. Files on disk stay as they are. */
export const stage: Runner = async (job) => {
  const { aim, changes, editor } = job;
  const { paths, left } = await stageable(editor.index, pathsOf(aim.kind === 'changeset' ? changes : [aim.change]));
  if (left.length > 0 && (aim.kind !== 'changeset' || paths.length === 0))
    throw new OperationRefused(`${describeLeft(left)} Nothing was changed.`);
  const wanted = isPart(aim) ? await stagedPart(job, aim) : await editor.index.fromDisk(paths);
  await changeIndex(job, wanted, 'staging');
  if (left.length > 0) return { message: `Staged all other changes. ${describeLeft(left)}` };
  return { message: `Staged ${nameOf(job)}.` };
};

/** Takes changes out of the index. Files on disk stay as they are. */
export const unstage: Runner = async (job) => {
  const { aim, editor } = job;
  const paths =
    aim.kind === 'changeset'
      ? [...(await editor.index.status({ freshness: 'exact' })).staged.keys()]
      : pathsOf([aim.change]);
  const wanted = isPart(aim) ? await unstagedPart(job, aim) : await asCommitted(editor.index, paths);
  await changeIndex(job, wanted, 'unstaging');
  return { message: `Unstaged ${aim.kind === 'changeset' ? fileCount(paths.length) : nameOf(job)}.` };
};

/** Separates paths that can be staged from entries that the user told git to leave alone, as `git add` does. */
export async function stageable(
  index: UserIndex,
  paths: readonly string[],
): Promise<{ paths: string[]; left: LeftAlone[] }> {
  const now = await index.entries(paths);
  const left = paths.flatMap((path) => {
    const mark = now.get(path)?.marks?.find((one) => one !== 'intent-to-add');
    return mark ? [{ path, mark }] : [];
  });
  const names = new Set(left.map(({ path }) => path));
  return { paths: paths.filter((path) => !names.has(path)), left };
}

export function describeLeft(left: readonly LeftAlone[]): string {
  const [{ path, mark } = { path: '', mark: '' }] = left;
  const others = left.length > 1 ? ` and ${fileCount(left.length - 1)} more are` : ' is';
  return `${path}${others} marked ${mark} in git and stays as it is; "git update-index --no-${mark}" ends that.`;
}

interface LeftAlone {
  readonly path: string;
  readonly mark: IndexMark;
}

/** What the last commit has. Marks stay, and so does a file that is only intended to be added: nothing of it is staged. */
export async function asCommitted(index: UserIndex, paths: readonly string[]): Promise<Entries> {
  const [now, committed] = [await index.entries(paths), await index.committed(paths)];
  return new Map(
    paths.map((path) => {
      const [entry, wanted] = [now.get(path), committed.get(path)];
      if (entry?.marks?.includes('intent-to-add')) return [path, entry];
      return [path, wanted && { ...wanted, ...(entry?.marks && { marks: entry.marks }) }];
    }),
  );
}

export function pathsOf(changes: readonly FileChange[]): string[] {
  const paths = new Set(changes.flatMap(({ before, after }) => [before?.path ?? [], after?.path ?? []].flat()));
  const garbled = [...paths].find((path) => path.includes('\uFFFD'));
  if (garbled !== undefined) throw new OperationRefused(`${garbled}: its name is not valid UTF-8; use git for it.`);
  return [...paths];
}

/** Whether only part of a file is meant. A created or deleted file is always staged as a whole. */
export function isPart(aim: Aim): aim is RangeAim {
  return aim.kind === 'range' && aim.change.before !== undefined && aim.change.after !== undefined;
}

/** The index with these hunks as they are on disk. */
async function stagedPart(job: Job, { change, hunks }: RangeAim): Promise<Entries> {
  const { before, after } = bothSides(change);
  const source = change.onlyStaged ? undefined : await versionOf(job, change); // on disk it is as committed
  const staged = await replacedPart(job, change, hunks, source);
  return before.path === after.path ? staged : new Map([...staged, [before.path, undefined]]);
}

/** The index with these hunks as they are in the last commit. */
export function unstagedPart(job: Job, { change, hunks }: RangeAim): Promise<Entries> {
  return replacedPart(job, change, hunks);
}

async function replacedPart(job: Job, change: FileChange, hunks: readonly Hunk[], source?: Version): Promise<Entries> {
  const { contents, index } = job.editor;
  const { before, after } = bothSides(change);
  const found = (await index.entries([after.path])).get(after.path);
  const entry = found?.marks?.includes('intent-to-add') ? undefined : found; // it has no content yet
  const staged = { ...after, contentId: entry?.id ?? before.contentId };
  const committed = await contentOf(contents, before.contentId);
  const text = replaceInIndex(committed, await versionOf(job, { before, after: staged }), hunks, source);
  return new Map([[after.path, { mode: after.mode, ...entry, id: await index.store(text) }]]);
}

async function versionOf({ editor: { contents } }: Job, change: FileChange): Promise<Version> {
  const { before, after } = bothSides(change);
  const hunks = await contents.hunks(before.contentId, after.contentId);
  if (!hunks) throw new OperationRefused(`${after.path} is not text; choose all of it. Nothing was changed.`);
  return { text: await contentOf(contents, after.contentId), hunks };
}

/** The steps that lead from the index as it is to these entries. */
export async function indexSteps(index: UserIndex, wanted: Entries): Promise<IndexStep[]> {
  const now = await index.entries([...wanted.keys()]);
  return [...wanted].flatMap(([path, to]): IndexStep[] => {
    const from = now.get(path);
    if (isSameEntry(from, to)) return [];
    return [{ path, ...(from && { from }), ...(to && { to }) }];
  });
}

async function changeIndex({ editor, perform }: Job, wanted: Entries, what: string): Promise<void> {
  const index = await indexSteps(editor.index, wanted);
  if (index.length === 0) throw new OperationRefused('The index is already like that; nothing was changed.');
  await perform({ label: `the ${what} of ${index.length === 1 ? index[0]?.path : fileCount(index.length)}`, index });
}

function bothSides({ before, after }: FileChange) {
  if (!before || !after) throw new OperationRefused('The file was created or deleted; choose all of it.');
  return { before, after };
}
