import type { OperationRecord } from './journal.js';

/** What of a file's change is meant: all of it, or some of the hunks between what was there and what the step left. */
export type Part = true | { readonly hunks: readonly number[]; readonly of: number };
export type PartsByPath = Readonly<Record<string, Part>>;

export interface HistoryLimits {
  /** Epoch milliseconds; steps from before are dropped. Undefined: none is dropped for its age. */
  readonly olderThan: number | undefined;
  readonly now: number;
  /** The contents of the newest steps that are kept, in bytes. */
  readonly bytes: number;
}

interface Documents {
  read<T>(key: string): T | undefined;
  put(key: string, value: unknown): void;
}

const FOLDERS = 'history-folders';

/**
 * The operations of each folder, as a linked list, newest first: appending one changes nothing of the others, however many
 * there are. They belong to no session, so they outlive all of them. Nothing is stored before the journal flushes.
 */
export class UndoHistory {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  record(id: string): OperationRecord | undefined {
    return this.#documents.read<OperationRecord>(`operation ${id}`);
  }

  put(record: OperationRecord): void {
    this.#documents.put(`operation ${record.id}`, record);
  }

  remove(id: string): void {
    this.#documents.put(`operation ${id}`, undefined);
  }

  /** Adds an operation that was done. If it undoes another one, that is noted there. */
  append(record: OperationRecord): void {
    const { folder, id, undoes, covers = {} } = record;
    const previous = this.#newest(folder);
    this.put({ ...record, ...(previous !== undefined && { previous }) });
    this.#documents.put(newestKey(folder), id);
    if (previous === undefined) this.#documents.put(FOLDERS, [...new Set([...this.folders(), folder])]);
    const target = undoes === undefined ? undefined : this.record(undoes);
    if (!target) return;
    this.put({ ...target, undoneBy: [...(target.undoneBy ?? []), id] });
    this.#setUndone(target.id, covers, true);
  }

  /** The operation that an undo, or the redo of one, is about; undefined if it is gone. */
  undoneStep(record: OperationRecord): OperationRecord | undefined {
    const next = this.#read(record.undoes);
    return next?.undoes === undefined ? next : this.undoneStep(next);
  }

  /** The operations of a folder, newest first; from the one with this id on, if it is still there. */
  *steps(folder: string, from?: string): Generator<OperationRecord> {
    const first = from === undefined ? undefined : this.record(from);
    if (from !== undefined && first?.folder !== folder) return;
    let next = first ?? this.#read(this.#newest(folder));
    while (next) {
      yield next;
      next = this.#read(next.previous);
    }
  }

  folders(): readonly string[] {
    return this.#documents.read<string[]>(FOLDERS) ?? [];
  }

  /** Drops the steps beyond these limits, and returns the others as JSON texts. */
  retain(folder: string, { olderThan, now, bytes }: HistoryLimits): string[] {
    const kept: string[] = [];
    let sum = 0;
    let last: OperationRecord | undefined;
    for (const step of this.steps(folder)) {
      const { at = now } = step; // of a step without a time, the age counts from now on
      const dated = step.at === undefined ? { ...step, at } : step;
      const json = JSON.stringify(dated);
      sum += json.length + sizeOf(dated);
      const isTooOld = olderThan !== undefined && at < olderThan;
      if (isTooOld || (sum > bytes && last)) {
        this.#cut(folder, last, step);
        break;
      }
      if (dated !== step) this.put(dated);
      kept.push(json);
      last = dated;
    }
    if (!last) this.#forgetFolder(folder);
    return kept;
  }

  #cut(folder: string, last: OperationRecord | undefined, from: OperationRecord): void {
    for (const { id } of [...this.steps(folder, from.id)]) this.remove(id);
    if (!last) return;
    const { previous: _, ...ending } = last;
    this.put(ending);
  }

  #forgetFolder(folder: string): void {
    if (!this.folders().includes(folder)) return;
    this.#documents.put(newestKey(folder), undefined);
    this.#documents.put(
      FOLDERS,
      this.folders().filter((other) => other !== folder),
    );
  }

  /**
   * Notes which parts of a step were undone, or no longer are. If the step is itself an undo, then what it had undone in a
   * file counts as done again once all of it there is undone, and the other way round. All files at once: a record is read
   * and written as a whole.
   */
  #setUndone(id: string, parts: PartsByPath, isUndone: boolean): void {
    const record = this.record(id);
    if (!record) return;
    const { undone: known = {}, ...rest } = record;
    const undone = new Map(Object.entries(known));
    const undoneAgain = new Map<string, Part>();
    const doneAgain = new Map<string, Part>();
    for (const [path, part] of Object.entries(parts)) {
      const before = undone.get(path);
      const after = isUndone ? joined(before, part) : without(before, part);
      if (after === undefined) undone.delete(path);
      else undone.set(path, after);
      const covered = record.covers?.[path];
      // Also if nothing changes here: another undo of the same step may have had the same effect, and been overtaken since.
      if (covered === undefined || isWhole(after) !== isUndone) continue;
      (isUndone ? doneAgain : undoneAgain).set(path, covered);
    }
    this.put({ ...rest, ...(undone.size > 0 && { undone: Object.fromEntries(undone) }) });
    if (record.undoes === undefined) return;
    if (undoneAgain.size > 0) this.#setUndone(record.undoes, Object.fromEntries(undoneAgain), true);
    if (doneAgain.size > 0) this.#setUndone(record.undoes, Object.fromEntries(doneAgain), false);
  }

  #newest(folder: string): string | undefined {
    return this.#documents.read<string>(newestKey(folder));
  }

  #read(id: string | undefined): OperationRecord | undefined {
    return id === undefined ? undefined : this.record(id);
  }
}

/** How much of a step was undone. */
export function undoneState({ steps, index = [], undone = {}, commit }: OperationRecord): 'none' | 'partly' | 'all' {
  if (Object.keys(undone).length === 0) return 'none';
  if (commit) return 'all';
  return [...steps, ...index].every(({ path }) => isWhole(undone[path])) ? 'all' : 'partly';
}

/** Stands for a commit among the parts of a step: no file has this path. */
export const COMMIT_PART = '.git';

export function isWhole(part: Part | undefined): boolean {
  return part === true || (part !== undefined && part.hunks.length === part.of);
}

function joined(before: Part | undefined, part: Part): Part {
  if (before === undefined || part === true) return part;
  if (before === true) return true;
  return { hunks: [...new Set([...before.hunks, ...part.hunks])].sort((a, b) => a - b), of: part.of };
}

function without(before: Part | undefined, part: Part): Part | undefined {
  if (before === undefined || before === true || part === true) return undefined;
  const hunks = before.hunks.filter((hunk) => !part.hunks.includes(hunk));
  return hunks.length > 0 ? { hunks, of: before.of } : undefined;
}

function newestKey(folder: string): string {
  return `history ${folder}`;
}

/** The bytes of file contents that a step keeps. */
function sizeOf({ steps }: OperationRecord): number {
  return steps.reduce((sum, { from, to }) => sum + (from?.size ?? 0) + (to?.size ?? 0), 0);
}
