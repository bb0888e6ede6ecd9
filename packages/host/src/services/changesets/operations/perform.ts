import type { URI } from '@moorage/protocol';
import { SUBMODULE } from '../../../ports/file-modes.js';
import { type EditStep, FolderEditError, type FolderEditor } from '../../../ports/folder-editor.js';
import type { IndexEntry } from '../../../ports/user-index.js';
import type { FileChange, FileVersion, Workspace } from '../../../ports/workspace.js';
import type { ChangesetService } from '../changeset-service.js';
import { isSameContent, isSameEntry } from '../index-entries.js';
import type { Author, CommitMove, IndexStep, OperationRecord } from '../journal.js';
import { OperationRefused } from '../refused.js';
import { planReversals } from '../three-way.js';
import type { Plan, PlannedMove } from './job.js';

/** Where an operation works, and for whom. */
export interface Ground {
  readonly folder: string;
  readonly workspace: Workspace;
  readonly editor: FolderEditor;
  readonly changesets: ChangesetService;
  readonly operationId: string;
  /** The changeset that it is about, and the session, if it is still there. */
  readonly channel?: URI | undefined;
  readonly session?: URI | undefined;
  readonly at: number;
  readonly by?: Author | undefined;
}

/**
 * Changes files and index so that a crash loses nothing. First all contents, old and new, and the plan are stored; then
 * all files are changed or none; then it is stored that the operation is done.
 */
export async function perform(ground: Ground, id: string, plan: Plan): Promise<void> {
  const { changesets, workspace, session } = ground;
  await workspace.betweenCheckpoints(async () => {
    const prepared = await prepare(ground, id, plan);
    begin(ground, prepared);
    await carryOut(ground, prepared);
  });
  changesets.changed(session);
}

/** A plan that has been checked, with its contents in the host's own store. */
export interface Prepared {
  readonly record: OperationRecord;
  readonly plan: Plan;
}

/** Refuses what cannot be done. Nothing is changed yet. */
export async function prepare(ground: Ground, id: string, plan: Plan): Promise<Prepared> {
  const { editor, channel, session, by } = ground;
  const steps = plan.steps ?? (await planReversals(editor, plan.reversals ?? []));
  const index = await checkIndex(editor, plan.index ?? []);
  const record: OperationRecord = {
    id,
    operationId: ground.operationId,
    label: plan.label,
    ...(channel !== undefined && { channel }),
    ...(session !== undefined && { session }),
    folder: ground.folder,
    at: ground.at,
    ...(by && { by }),
    steps,
    ...(index.length > 0 && { index }),
    ...(plan.view && { view: plan.view }),
    ...(plan.head && { commit: plan.head.move }),
    ...(plan.undoes !== undefined && { undoes: plan.undoes, covers: plan.covers ?? {} }),
    ...(plan.with && { with: plan.with }),
  };
  await ground.workspace.keep([...steps.map(onDisk), ...index.map(inIndex)]).catch((cause: unknown) => {
    const why = 'The contents of the files could not be backed up; nothing was changed.';
    throw new OperationRefused(why, { cause });
  });
  return { record, plan };
}

/** Stores the plan. */
export function begin({ changesets, workspace }: Ground, { record }: Prepared): void {
  changesets.journal.begin(record, changesets.running.in(workspace));
}

/**
 * Changes everything that was planned, or nothing, and stores that it is done. Runs between checkpoints, as `prepare` does:
 * neither may take one, which would wait for its own end.
 */
export async function carryOut(ground: Ground, { record, plan }: Prepared): Promise<void> {
  const { editor, changesets, workspace } = ground;
  const { journal } = changesets;
  const { id, steps, index = [] } = record;
  let done = record;
  try {
    await applyAll(editor, id, steps);
    if (plan.head) done = { ...record, ...(await moveBranch(editor, id, plan.head, index)) };
    else if (index.length > 0) await changeIndex(editor, id, steps, index);
  } catch (error) {
    // What could not be rolled back is settled before the next operation in this folder, or when the host restarts.
    if (!(error instanceof FolderEditError) || error.kind === 'refused') journal.dropped(record);
    throw error;
  }
  changesets.operated(workspace, record);
  journal.done(done, changesets.running.in(workspace));
}

/** Moves the branch and changes the index, or leaves both as they were. */
async function moveBranch(
  editor: FolderEditor,
  id: string,
  head: PlannedMove,
  index: readonly IndexStep[],
): Promise<{ commit: CommitMove; label: string }> {
  const stage = (steps: readonly IndexStep[]) => editor.index.stage(new Map(steps.map(({ path, to }) => [path, to])));
  if (head.index === 'before') {
    await stage(index);
    const { move, label } = await head.run(id).catch(async (error: unknown) => {
      await stage(index.map(backwards));
      throw error;
    });
    return { commit: move, label };
  }
  const { move, label } = await head.run(id);
  await stage(index).catch(async (error: unknown) => {
    const { from, to } = move;
    await editor.repository.moveHead({ ...move, from: to, to: from });
    throw error;
  });
  return { commit: move, label };
}

export function backwards({ path, from, to }: IndexStep): IndexStep {
  return { path, ...(to && { from: to }), ...(from && { to: from }) };
}

/** Separates steps that move a nested repository to another commit, which git does, from those that the host does. */
export function partition(steps: readonly EditStep[]): { nested: EditStep[]; files: EditStep[] } {
  const isNested = ({ from, to }: EditStep) => from?.mode === SUBMODULE && to?.mode === SUBMODULE;
  return { nested: steps.filter(isNested), files: steps.filter((step) => !isNested(step)) };
}

/** Moves nested repositories first, so that a refusal by git comes before any file is touched. */
async function applyAll(editor: FolderEditor, id: string, steps: readonly EditStep[]): Promise<void> {
  const { nested, files } = partition(steps);
  const moved: EditStep[] = [];
  try {
    for (const step of nested) {
      await editor.nested.move(step.path, step.from?.contentId ?? '', step.to?.contentId ?? '');
      moved.push(step);
    }
    if (files.length > 0) await editor.apply(id, files);
  } catch (error) {
    for (const { path, from, to } of moved) {
      await editor.nested.move(path, to?.contentId ?? '', from?.contentId ?? '').catch((cause: unknown) => {
        throw new FolderEditError('unfinished', `${path} could not be moved back to its commit yet`, { cause });
      });
    }
    throw error;
  }
}

/** Refuses if somebody has changed the index since the operation was planned. */
async function checkIndex(editor: FolderEditor, index: readonly IndexStep[]): Promise<IndexStep[]> {
  if (index.length === 0) return [];
  const paths = index.map(({ path }) => path);
  const [now, committed] = [await editor.index.entries(paths), await editor.index.committed(paths)];
  const moved = index.find(({ path, from }) => !isSameEntry(now.get(path), from));
  if (moved) throw new OperationRefused(`What is staged of ${moved.path} changed meanwhile; nothing was changed.`);
  return index.map((step) => ({ ...step, asCommitted: isSameContent(committed.get(step.path), step.to) }));
}

/** Changes the index as a whole. If git refuses, the files that were changed before are put back. */
async function changeIndex(
  editor: FolderEditor,
  id: string,
  steps: readonly EditStep[],
  index: readonly IndexStep[],
): Promise<void> {
  try {
    await checkIndex(editor, index);
    await editor.index.stage(new Map(index.map(({ path, to }) => [path, to])));
  } catch (error) {
    const back = steps.map(({ path, from, to }) => ({ path, ...(to && { from: to }), ...(from && { to: from }) }));
    await applyAll(editor, `${id}-back`, back).catch((cause: unknown) => {
      throw new FolderEditError('unfinished', `${String(error)}; the files could not be put back yet`, { cause });
    });
    throw error;
  }
}

function onDisk({ from, to }: EditStep): FileChange {
  return { ...(from && { before: from }), ...(to && { after: to }) };
}

function inIndex({ path, from, to }: IndexStep): FileChange {
  const version = ({ id, mode }: IndexEntry): FileVersion => ({ path, contentId: id, mode });
  return { ...(from && { before: version(from) }), ...(to && { after: version(to) }) };
}
