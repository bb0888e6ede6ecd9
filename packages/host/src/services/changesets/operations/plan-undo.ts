import { invalidParams } from '../../../core/errors.js';
import type { Hunk } from '../../../ports/contents.js';
import type { EditStep, FolderEditor } from '../../../ports/folder-editor.js';
import type { FileVersion } from '../../../ports/workspace.js';
import { contentOf, hunksOf } from '../file-hunks.js';
import { exchangeHunks } from '../hunks.js';
import { isSameContent, isSameEntry } from '../index-entries.js';
import type { IndexStep, OperationRecord, ViewChange } from '../journal.js';
import { MAX_TRIED_HUNKS } from '../limits.js';
import { isSameVersion, type Planned, planEach, threeWay } from '../three-way.js';
import { isWhole, type Part } from '../undo-history.js';

/** What of a step shall be undone; without a path, everything that is left of it. */
export interface UndoPart {
  readonly path?: string | undefined;
  /** Hunks of that file. */
  readonly hunks?: readonly number[] | undefined;
}

export interface PlannedUndo {
  readonly steps: readonly EditStep[];
  readonly index: readonly IndexStep[];
  readonly covers: Readonly<Record<string, Part>>;
  readonly view: readonly ViewChange[];
  /** What stands in the way of the rest, for people. */
  readonly left: readonly string[];
}

/**
 * Plans to take back what is left of a step, file by file and, where a later change is in the way, hunk by hunk. What the
 * step left is the base, so newer work elsewhere stays.
 */
export async function planUndo(
  editor: FolderEditor,
  record: OperationRecord,
  { path, hunks }: UndoPart,
  views: readonly ViewChange[] = [],
): Promise<PlannedUndo> {
  const { undone = {} } = record;
  const isMeant = (one: { readonly path: string }) =>
    (path === undefined || one.path === path) && !isWhole(undone[one.path]);
  const files = record.steps.filter(isMeant);
  const changes: UndoChange[] = [];
  for (const step of files) changes.push(await changeOf(editor, step, undone[step.path], hunks));
  const planned = await planEach(
    editor,
    changes.map(({ step: { to }, wanted }) => ({ base: to, wanted })),
  );
  const plan = { steps: [] as EditStep[], covers: {} as Record<string, Part>, view: [] as ViewChange[] };
  const left: string[] = [];
  for (const [at, change] of changes.entries()) {
    const { outcome, part, wanted, problem } = await orByHunk(editor, change, planned[at] ?? { steps: [] });
    if (problem !== undefined) left.push(problem);
    if (!('steps' in outcome)) continue;
    // A folder that was empty before the step stays, although the file that the step put there goes.
    const { folder } = change.step;
    plan.steps.push(...outcome.steps.map((step) => (folder !== undefined && !step.to ? { ...step, folder } : step)));
    plan.covers[change.step.path] = part;
    plan.view.push(...(await viewOf(editor, record, { step: change.step, wanted }, views)));
  }
  const index = hunks ? { steps: [], left: [] } : await planIndex(editor, record, isMeant);
  const onDisk = new Set(files.map((step) => step.path));
  for (const step of index.steps) if (!onDisk.has(step.path)) plan.covers[step.path] = true;
  // Of a file that stays as it is, the index does, too.
  const isCovered = (one: { readonly path: string }) => isWhole(plan.covers[one.path]);
  return { ...plan, index: index.steps.filter(isCovered), left: [...left, ...index.left] };
}

interface UndoChange {
  readonly step: EditStep;
  /** What shall be there instead of `step.to`. */
  readonly wanted: FileVersion | undefined;
  /** The hunks that are taken back, of all that the step has in this file; undefined: the file as a whole. */
  readonly hunks: readonly number[] | undefined;
  readonly all: readonly Hunk[];
}

async function changeOf(
  editor: FolderEditor,
  step: EditStep,
  undone: Part | undefined,
  chosen: readonly number[] | undefined,
): Promise<UndoChange> {
  if (undone === undefined && chosen === undefined) return { step, wanted: step.from, hunks: undefined, all: [] };
  const all = (await hunksIn(editor, step)) ?? [];
  if (chosen?.some((at) => !(at in all)))
    throw invalidParams('params/hunks: expected places in the list of hunks of this file');
  const done = new Set(undone === undefined || undone === true ? [] : undone.hunks);
  const hunks = [...all.keys()].filter((at) => !done.has(at) && (chosen === undefined || chosen.includes(at)));
  return { step, wanted: await withoutHunks(editor, step, all, hunks), hunks, all };
}

/** The hunks of a file's change, if both sides are text. */
export async function hunksIn(editor: FolderEditor, { from, to }: EditStep): Promise<readonly Hunk[] | undefined> {
  if (!from || !to) return undefined;
  return hunksOf(editor.contents, { before: from, after: to });
}

async function withoutHunks(
  { contents }: FolderEditor,
  { from, to }: EditStep,
  all: readonly Hunk[],
  hunks: readonly number[],
): Promise<FileVersion | undefined> {
  if (!from || !to) return from;
  const chosen = hunks.flatMap((at) => all[at] ?? []);
  const [old, now] = [await contentOf(contents, from.contentId), await contentOf(contents, to.contentId)];
  const text = exchangeHunks(now, old, 'after', chosen);
  return { path: to.path, mode: to.mode, contentId: await contents.write(text), size: text.length };
}

interface Outcome {
  readonly outcome: Planned;
  readonly part: Part;
  readonly wanted: FileVersion | undefined;
  readonly problem?: string | undefined;
}

/** Where the change cannot be taken back as planned, finds the hunks that can be. */
async function orByHunk(editor: FolderEditor, change: UndoChange, planned: Planned): Promise<Outcome> {
  const { step, wanted, hunks } = change;
  if (!('problem' in planned)) return { outcome: planned, part: partOf(change, hunks), wanted };
  const refused = { outcome: planned, part: true, wanted, problem: planned.problem } as const;
  const all = change.all.length > 0 ? change.all : ((await hunksIn(editor, step)) ?? []);
  const tried = hunks ?? [...all.keys()];
  if (tried.length < 2 || tried.length > MAX_TRIED_HUNKS) return refused;
  let best:
    | { readonly hunks: number[]; readonly outcome: Planned; readonly wanted: FileVersion | undefined }
    | undefined;
  for (const hunk of tried) {
    const more = [...(best?.hunks ?? []), hunk];
    const without = await withoutHunks(editor, step, all, more);
    const [outcome] = await planEach(editor, [{ base: step.to, wanted: without }]);
    if (outcome && !('problem' in outcome)) best = { hunks: more, outcome, wanted: without };
  }
  if (!best) return refused;
  return { ...best, part: { hunks: best.hunks, of: all.length }, problem: planned.problem };
}

function partOf({ all }: UndoChange, hunks: readonly number[] | undefined): Part {
  return hunks === undefined ? true : { hunks, of: all.length };
}

/**
 * The changeset of a turn shows what is left of its change, so it must show again what comes back. Earlier undos of other
 * hunks have changed what it shows since; these changes are followed.
 */
async function viewOf(
  editor: FolderEditor,
  record: OperationRecord,
  { step, wanted }: { readonly step: EditStep; readonly wanted: FileVersion | undefined },
  views: readonly ViewChange[],
): Promise<ViewChange[]> {
  const own = record.view?.find(({ base, wanted: shown }) => (shown ?? base)?.path === step.path);
  if (!own) return [];
  const at = views.findLastIndex(({ base, wanted: shown }) => isSame(base, own.base) && isSame(shown, own.wanted));
  let now = own.wanted;
  for (const { base, wanted: shown } of views.slice(at + 1)) {
    if (base?.path === now?.path && isSameVersion(base, now)) now = shown;
  }
  if (isSameVersion(wanted, step.from)) return [{ base: now, wanted: own.base }];
  const merged = await threeWay(editor.contents, step.path, { base: step.to, ours: now, theirs: wanted });
  return 'problem' in merged ? [] : [{ base: now, wanted: merged.result }];
}

function isSame(one: FileVersion | undefined, other: FileVersion | undefined): boolean {
  return one?.path === other?.path && isSameVersion(one, other);
}

/**
 * Leaves out what was committed since: taking that out of the index would stage its removal. Entries that somebody has
 * changed since are left alone; they are named if the step changed nothing else.
 */
async function planIndex(
  editor: FolderEditor,
  { steps, index = [] }: OperationRecord,
  isMeant: (step: IndexStep) => boolean,
): Promise<{ steps: IndexStep[]; left: string[] }> {
  const meant = index.filter(isMeant);
  if (meant.length === 0) return { steps: [], left: [] };
  const paths = meant.map(({ path }) => path);
  const { conflicted } = await editor.index.status({ freshness: 'exact' });
  const committed = await editor.index.committed(paths);
  const now = await editor.index.entries(paths.filter((path) => !conflicted.has(path)));
  const plan = { steps: [] as IndexStep[], left: [] as string[] };
  for (const { path, from, to, asCommitted } of meant) {
    const problem = conflicted.has(path)
      ? `${path} has a conflict in the index now`
      : !asCommitted && isSameContent(committed.get(path), to)
        ? `${path} has been committed since`
        : isSameEntry(now.get(path), to)
          ? undefined
          : `what is staged of ${path} was changed since`;
    if (problem === undefined) plan.steps.push({ path, ...(to && { from: to }), ...(from && { to: from }) });
    else if (steps.length === 0) plan.left.push(problem);
  }
  return plan;
}
