import type { IndexEntry, IndexMark, UserIndex } from '../../../ports/user-index.js';
import type { FileChange } from '../../../ports/workspace.js';
import { contentOf } from '../file-hunks.js';
import { describeLines, exchangeHunks } from '../hunks.js';
import { isSameEntry } from '../index-entries.js';
import type { IndexStep } from '../journal.js';
import { OperationRefused } from '../refused.js';
import { fileCount, nameOf } from '../words.js';
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
  const paths = aim.kind === 'changeset' ? [...(await editor.index.staged()).keys()] : pathsOf([aim.change]);
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
async function asCommitted(index: UserIndex, paths: readonly string[]): Promise<Entries> {
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
function isPart(aim: Aim): aim is RangeAim {
  return aim.kind === 'range' && aim.change.before !== undefined && aim.change.after !== undefined;
}

/** The index with these hunks added. A three-way merge keeps other hunks that were staged before. */
async function stagedPart(job: Job, { change, hunks }: RangeAim): Promise<Entries> {
  const { contents } = job.editor;
  const { before, after } = bothSides(change);
  const [old, now] = [await contentOf(contents, before.contentId), await contentOf(contents, after.contentId)];
  const theirs = await contents.write(exchangeHunks(old, now, 'before', hunks));
  const merged = await mergeIntoIndex(job, change, before.contentId, theirs);
  return before.path === after.path ? merged : new Map([...merged, [before.path, undefined]]);
}

/** The index without these hunks. */
async function unstagedPart(job: Job, { change, hunks }: RangeAim): Promise<Entries> {
  const { contents } = job.editor;
  const { before, after } = bothSides(change);
  const [old, now] = [await contentOf(contents, before.contentId), await contentOf(contents, after.contentId)];
  const base = await contents.write(exchangeHunks(old, now, 'before', hunks));
  return mergeIntoIndex(job, change, base, before.contentId);
}

async function mergeIntoIndex({ editor }: Job, change: FileChange, base: string, theirs: string): Promise<Entries> {
  const { contents, index } = editor;
  const { before, after } = bothSides(change);
  const found = (await index.entries([after.path])).get(after.path);
  const entry = found?.marks?.includes('intent-to-add') ? undefined : found; // it has no content yet
  const ours = entry ? await index.fromIndex(after.path, entry) : before.contentId;
  const merged = ours === base ? ({ kind: 'clean', id: theirs } as const) : await contents.merge(base, ours, theirs);
  if (!merged) throw new OperationRefused(`${after.path} is not text; stage all of it. Nothing was changed.`);
  if (merged.kind === 'conflict') {
    const where = describeLines(merged.lines);
    throw new OperationRefused(
      `What is staged of ${after.path} differs at the same place (${where}). Nothing was changed.`,
    );
  }
  const id = await index.toIndex(after.path, await contentOf(contents, merged.id));
  return new Map([[after.path, { mode: after.mode, ...entry, id }]]);
}

async function changeIndex({ editor, perform }: Job, wanted: Entries, what: string): Promise<void> {
  const now = await editor.index.entries([...wanted.keys()]);
  const index = [...wanted].flatMap(([path, to]): IndexStep[] => {
    const from = now.get(path);
    if (isSameEntry(from, to)) return [];
    return [{ path, ...(from && { from }), ...(to && { to }) }];
  });
  if (index.length === 0) throw new OperationRefused('The index is already like that; nothing was changed.');
  await perform({ label: `the ${what} of ${index.length === 1 ? index[0]?.path : fileCount(index.length)}`, index });
}

function bothSides({ before, after }: FileChange) {
  if (!before || !after) throw new OperationRefused('The file was created or deleted; choose all of it.');
  return { before, after };
}
