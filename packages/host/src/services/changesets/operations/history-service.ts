import {
  fileUriIn,
  type HistoryFile,
  type HistoryStep,
  type ListHistoryFilesParams,
  type ListHistoryFilesResult,
  type ListHistoryParams,
  type ListHistoryResult,
  RpcError,
  type UndoHistoryStepParams,
  type UndoHistoryStepResult,
  type URI,
} from '@moorage/protocol';
import { invalidParams, notFound } from '../../../core/errors.js';
import { SUBMODULE } from '../../../ports/file-modes.js';
import { FolderError } from '../../../ports/folders.js';
import type { Workspaces } from '../../../ports/workspace.js';
import type { HostContext } from '../../context.js';
import { uriOfPath } from '../../resources/file-uri.js';
import type { ChangesetService } from '../changeset-service.js';
import { fileVersionUri } from '../files.js';
import type { OperationJournal, OperationRecord } from '../journal.js';
import { HISTORY_PAGE, MAX_HISTORY_PAGE, MAX_LISTED_FILES } from '../limits.js';
import { OperationRefused } from '../refused.js';
import { isWhole, type Part, undoneState } from '../undo-history.js';
import { type Asker, authorOf, type OperationService, toRpcError } from './operation-service.js';
import { hunksIn, type UndoPart } from './plan-undo.js';
import { performTogether } from './together.js';
import { isRedoOf, undoOf } from './undo.js';

/** Shows what operations did to a folder, over all changesets and sessions, and undoes any of it. */
export class HistoryService {
  readonly #context: HostContext;
  readonly #changesets: ChangesetService;
  readonly #workspaces: Workspaces;
  readonly #operations: OperationService;

  constructor(
    context: HostContext,
    changesets: ChangesetService,
    workspaces: Workspaces,
    operations: OperationService,
  ) {
    this.#context = context;
    this.#changesets = changesets;
    this.#workspaces = workspaces;
    this.#operations = operations;
  }

  list({ folder, cursor, limit }: ListHistoryParams): ListHistoryResult {
    const path = this.#folder(folder);
    const most = pageSize(limit);
    const items: HistoryStep[] = [];
    if (cursor !== undefined) this.#step(path, cursor, 'cursor');
    for (const record of this.#journal.history.steps(path, cursor)) {
      if (items.length === most) return { items, nextCursor: record.id };
      items.push(this.#shown(folder, path, record));
    }
    return { items };
  }

  async files({ folder, step, path, cursor, limit }: ListHistoryFilesParams): Promise<ListHistoryFilesResult> {
    const root = this.#folder(folder);
    const record = this.#step(root, step);
    const all = filesOf(record);
    if (path !== undefined) {
      if (!all.includes(path)) throw invalidParams('params/path: expected the path of a file of this step');
      return { items: [await this.#withHunks(root, record, this.#file(folder, root, record, path))] };
    }
    const first = cursor === undefined ? 0 : Number(cursor);
    if (!Number.isSafeInteger(first) || first < 0) throw invalidParams('params/cursor: expected one of an answer');
    const next = first + pageSize(limit);
    const items = all.slice(first, next).map((one) => this.#file(folder, root, record, one));
    return { items, ...(next < all.length && { nextCursor: String(next) }) };
  }

  undo(params: UndoHistoryStepParams, asker: Asker): Promise<UndoHistoryStepResult> {
    const folder = this.#folder(params.folder);
    const isLeft = (step: OperationRecord) => step.undoes === undefined && undoneState(step) !== 'all';
    const find = () => params.step ?? this.#newest(folder, isLeft, 'There is nothing to undo.');
    return this.#inTurn(folder, find, (step) => this.#undo(folder, step, params, asker));
  }

  /** Undoes the newest undo of a step that still counts, in this file if one is named. */
  redo(params: UndoHistoryStepParams, asker: Asker): Promise<UndoHistoryStepResult> {
    const folder = this.#folder(params.folder);
    const { path } = params;
    const isUndo = (step: OperationRecord) =>
      isRedoOf(this.#journal, step) &&
      undoneState(step) !== 'all' &&
      (path === undefined || (step.covers?.[path] !== undefined && !isWhole(step.undone?.[path])));
    const find = () => {
      if (params.step === undefined) return this.#newest(folder, isUndo, 'There is nothing to redo.');
      const { undoneBy = [], label } = this.#step(folder, params.step);
      const undo = undoneBy.findLast((id) => {
        const step = this.#journal.record(id);
        return step !== undefined && isUndo(step);
      });
      if (undo === undefined) throw new OperationRefused(`${label}: nothing of it is undone, so nothing was changed.`);
      return undo;
    };
    return this.#inTurn(folder, find, (step) => this.#undo(folder, step, params, asker));
  }

  get #journal(): OperationJournal {
    return this.#changesets.journal;
  }

  /** Also holds the other folders that the step has changed. Which step it is may change while it waits for its turn. */
  async #inTurn<T>(folder: string, find: () => string, work: (step: string) => Promise<T>): Promise<T> {
    const othersOf = (step: string | undefined) =>
      (step === undefined ? [] : this.#elsewhere(this.#journal.record(step))).map((other) => other.folder);
    try {
      for (;;) {
        const folders = [folder, ...othersOf(ifAny(find))];
        const done = await this.#operations.inTurn(folders, async () => {
          const step = find();
          const isHeld = othersOf(step).every((other) => folders.includes(other));
          return isHeld ? { result: await work(step) } : undefined;
        });
        if (done) return done.result;
      }
    } catch (error) {
      throw toRpcError(error);
    }
  }

  #newest(folder: string, isWanted: (step: OperationRecord) => boolean, otherwise: string): string {
    for (const step of this.#journal.history.steps(folder)) if (isWanted(step)) return step.id;
    throw new OperationRefused(otherwise);
  }

  async #undo(
    folder: string,
    id: string,
    { path, hunks }: UndoHistoryStepParams,
    asker: Asker,
  ): Promise<UndoHistoryStepResult> {
    const record = this.#step(folder, id);
    if (path !== undefined && !filesOf(record).includes(path))
      throw invalidParams('params/path: expected the path of a file of this step');
    if (hunks && path === undefined) throw invalidParams('params/hunks: expected a path as well');
    const steps = [record, ...(path === undefined ? this.#elsewhere(record) : [])];
    const undos = await Promise.all(steps.map((step) => this.#plan(step, { path, hunks }, asker)));
    const [own] = undos;
    if (!own || 'refusal' in own) throw own?.refusal ?? notFound(id);
    const planned = undos.flatMap((undo) => ('refusal' in undo ? [] : [undo]));
    await performTogether(planned, this.#context.ids);
    this.#operations.board.refreshAll();
    const said = undos.map((undo) => ('refusal' in undo ? `In ${undo.folder}: ${undo.refusal.message}` : undo.message));
    return { message: said.join(' '), step: own.id, left: planned.flatMap(({ left }) => left) };
  }

  /** The steps of the same operation in other folders, as far as they are there and not undone yet. */
  #elsewhere(record: OperationRecord | undefined): OperationRecord[] {
    const records = (record?.with ?? []).flatMap(({ id }) => this.#journal.record(id) ?? []);
    return records.filter((other) => undoneState(other) !== 'all' && this.#isUsable(other.folder));
  }

  async #plan(record: OperationRecord, part: UndoPart, asker: Asker) {
    const { folder } = record;
    const ground = this.#operations.groundOf(folder, record);
    try {
      const undo = await undoOf(this.#journal, ground.editor, record, part);
      const operationId = isRedoOf(this.#journal, record) ? 'redo' : 'undo';
      const by = authorOf(asker, record.by?.sessionTitle);
      return { ...undo, id: this.#context.ids.next(), ground: { ...ground, operationId, by } };
    } catch (error) {
      if (error instanceof OperationRefused) return { folder, refusal: error };
      throw error;
    }
  }

  #isUsable(folder: string): boolean {
    try {
      return this.#context.folders.resolve(uriOfPath(folder)) === folder;
    } catch (error) {
      if (error instanceof FolderError) return false;
      throw error;
    }
  }

  #folder(uri: URI): string {
    try {
      return this.#context.folders.resolve(uri);
    } catch (error) {
      throw error instanceof FolderError ? invalidParams(`params/folder: ${error.message}`) : error;
    }
  }

  #step(folder: string, id: string, member = 'step'): OperationRecord {
    const record = this.#journal.record(id);
    if (record?.folder !== folder)
      throw notFound(id, `params/${member}: the history of this folder has no such step, or no longer`);
    return record;
  }

  #shown(folder: URI, root: string, record: OperationRecord): HistoryStep {
    const { id, at, operationId, label, session, by, undoes } = record;
    const files = filesOf(record);
    return {
      id,
      ...(at !== undefined && { at }),
      operation: operationId,
      label,
      ...(session !== undefined && { session }),
      ...(by?.sessionTitle !== undefined && { sessionTitle: by.sessionTitle }),
      ...(by && { client: by.client }),
      ...(by?.program !== undefined && { program: by.program }),
      ...(by?.person !== undefined && { person: by.person }),
      ...(undoes !== undefined && { undoes }),
      undone: undoneState(record),
      fileCount: files.length,
      files: files.slice(0, MAX_LISTED_FILES).map((path) => this.#file(folder, root, record, path)),
    };
  }

  #file(folder: URI, root: string, { steps, index = [], undone = {} }: OperationRecord, path: string): HistoryFile {
    const workspace = this.#workspaces.idOf(root);
    const content = (id: string | undefined, mode: string | undefined) =>
      id === undefined || mode === SUBMODULE ? undefined : fileVersionUri(workspace, id, fileUriIn(folder, path));
    const onDisk = steps.find((step) => step.path === path);
    const staged = index.find((step) => step.path === path);
    return {
      path,
      before: content(onDisk?.from?.contentId, onDisk?.from?.mode),
      after: content(onDisk?.to?.contentId, onDisk?.to?.mode),
      stagedBefore: content(staged?.from?.id, staged?.from?.mode),
      stagedAfter: content(staged?.to?.id, staged?.to?.mode),
      undone: stateOf(undone[path]),
    };
  }

  async #withHunks(root: string, { steps, undone = {} }: OperationRecord, file: HistoryFile): Promise<HistoryFile> {
    const step = steps.find(({ path }) => path === file.path);
    const hunks = step && (await hunksIn(this.#workspaces.editor(root), step));
    if (!hunks) return file;
    const part = undone[file.path];
    const isUndone = (at: number) => part === true || (part?.hunks.includes(at) ?? false);
    return { ...file, hunks: hunks.map((hunk, at) => ({ ...hunk, undone: isUndone(at) })) };
  }
}

/** Undefined if there is no such step now; what is under way may make one. */
function ifAny(find: () => string): string | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof OperationRefused || error instanceof RpcError) return undefined;
    throw error;
  }
}

function filesOf({ steps, index = [], commit }: OperationRecord): string[] {
  if (commit) return [...commit.paths];
  return [...new Set([...steps, ...index].map(({ path }) => path))];
}

function stateOf(part: Part | undefined): HistoryFile['undone'] {
  if (part === undefined) return 'none';
  return isWhole(part) ? 'all' : 'partly';
}

function pageSize(limit: number | undefined): number {
  if (limit !== undefined && limit < 1) throw invalidParams('params/limit: expected a number above 0');
  return Math.min(limit ?? HISTORY_PAGE, MAX_HISTORY_PAGE);
}
