import type { URI } from '@moorage/protocol';
import type { FlushingDoor } from '../../core/door-parts.js';
import { type EditStep, FolderEditError } from '../../ports/folder-editor.js';
import type { IndexEntry } from '../../ports/user-index.js';
import type { HeadMove } from '../../ports/user-repository.js';
import type { FileVersion } from '../../ports/workspace.js';
import { MAX_CHANGESET_UNDO } from './limits.js';
import type { RunningTurn } from './running-turns.js';
import { type HistoryLimits, type PartsByPath, UndoHistory, undoneState } from './undo-history.js';

/** An operation that changes something: stored before it begins, and kept so that it can be undone. */
export interface OperationRecord {
  readonly id: string;
  readonly operationId: string;
  /** What the operation did, for people: "the revert of a.txt". */
  readonly label: string;
  /** The changeset on which it was invoked, and its session; none if an undo concerns a session that is gone for good. */
  readonly channel?: URI;
  readonly session?: URI;
  readonly folder: string;
  /** Epoch milliseconds; steps from before there were histories have none. */
  readonly at?: number;
  readonly by?: Author;
  readonly steps: readonly EditStep[];
  readonly index?: readonly IndexStep[];
  /** How the changeset looks afterwards, where that does not follow from the folder. */
  readonly view?: readonly ViewChange[];
  /** The branch was moved to a commit that was just made, away from it, or back to it. */
  readonly commit?: CommitMove;
  /** The id of the operation that this one undoes, and what of it. */
  readonly undoes?: string;
  readonly covers?: PartsByPath;
  /** What of this operation was undone, and by which operations, newest last. */
  readonly undone?: PartsByPath;
  readonly undoneBy?: readonly string[];
  /** The id of the operation before this one in the same folder. */
  readonly previous?: string;
  /** The steps of the same operation in other folders: they are undone together. */
  readonly with?: readonly StepElsewhere[];
}

/** A step in the history of another folder. */
export interface StepElsewhere {
  readonly folder: string;
  readonly id: string;
}

export interface CommitMove extends HeadMove {
  /** What was committed. */
  readonly paths: readonly string[];
}

/** Who asked for an operation. The title tells what a session was about, also when it is gone. */
export interface Author {
  readonly client: string;
  readonly program?: string | undefined;
  /** The name of the person; absent for the owner. */
  readonly person?: string | undefined;
  readonly sessionTitle?: string | undefined;
}

export interface IndexStep {
  readonly path: string;
  readonly from?: IndexEntry;
  readonly to?: IndexEntry;
  /** `to` was what the last commit had. */
  readonly asCommitted?: boolean;
}

/** Shows a file of a finished turn as `wanted` instead of `base`, because part of its change was taken back. */
export interface ViewChange {
  readonly base?: FileVersion | undefined;
  readonly wanted?: FileVersion | undefined;
}

/** The operations on one changeset. */
export interface ChannelOperations {
  /** Ids of the operations that can be undone, newest last. */
  readonly undo: readonly string[];
  /** `folder` is the real path; those of earlier versions have none, and are about the session's first folder. */
  readonly views: readonly {
    readonly operation: string;
    readonly folder?: string;
    readonly changes: readonly ViewChange[];
  }[];
  /** What became of an operation that a crash of the host interrupted. */
  readonly interrupted?: { readonly operationId: string; readonly outcome: 'finished' | 'rolledBack' };
}

const UNFINISHED = 'unfinished-operations';

/** The stored records of operations. A call that changes them has stored the change when it returns, or throws. */
export class OperationJournal {
  readonly #door: FlushingDoor;
  /** All operations of a folder, over all changesets and sessions. */
  readonly history: UndoHistory;

  constructor(door: FlushingDoor) {
    this.#door = door;
    this.history = new UndoHistory({ read: (key) => this.#read(key), put: (key, value) => this.#put(key, value) });
  }

  /** Call before anything is changed. `turns` run in the folder; the operation must not count as their change. */
  begin(record: OperationRecord, turns: readonly RunningTurn[]): void {
    this.history.put(record);
    for (const turn of turns) this.#noteDuring(turn, record);
    this.#put(UNFINISHED, [...this.#unfinishedIds(), record.id]);
    this.#door.flush();
  }

  done(record: OperationRecord, turns: readonly RunningTurn[], outcome?: 'finished'): void {
    const interrupted = outcome && { operationId: record.operationId, outcome };
    this.history.append(record);
    for (const turn of turns) this.#noteDuring(turn, record);
    this.#putChannel(record, ({ undo, views }) => ({
      undo:
        record.undoes === undefined
          ? [...undo, record.id].slice(-MAX_CHANGESET_UNDO)
          : withUndone(undo, this.history.undoneStep(record)),
      views: record.view ? [...views, { operation: record.id, folder: record.folder, changes: record.view }] : views,
      ...(interrupted && { interrupted }),
    }));
    this.#forgetUnfinished(record.id);
    this.#storeDone();
  }

  /** The operation changed nothing, or its changes were rolled back. */
  dropped(record: OperationRecord, outcome?: 'rolledBack'): void {
    this.history.remove(record.id);
    if (outcome) {
      const interrupted = { operationId: record.operationId, outcome };
      this.#putChannel(record, (known) => ({ ...known, interrupted }));
    }
    this.#forgetUnfinished(record.id);
    this.#door.flush();
  }

  unfinished(): OperationRecord[] {
    return this.#unfinishedIds().flatMap((id) => this.record(id) ?? []);
  }

  record(id: string): OperationRecord | undefined {
    return this.history.record(id);
  }

  of(channel: URI): ChannelOperations {
    return this.#read<ChannelOperations>(`operations ${channel}`) ?? { undo: [], views: [] };
  }

  /** The operation that an undo on this changeset would take back, with a record for each folder that it changed. */
  last(channel: URI): OperationRecord[] {
    const id = this.of(channel).undo.at(-1);
    const record = id === undefined ? undefined : this.record(id);
    const others = record?.with?.flatMap((other) => this.record(other.id) ?? []) ?? [];
    return record ? [record, ...others.filter((other) => undoneState(other) === 'none')] : [];
  }

  /** What operations did to files of a folder while a turn ran, oldest first. None of it is the turn's change. */
  duringTurn(turn: RunningTurn, folder: string): EditStep[] {
    const records = (this.#read<string[]>(duringKey(turn)) ?? []).flatMap((id) => this.record(id) ?? []);
    return records.flatMap((record) => (record.folder === folder ? record.steps : []));
  }

  /** Forgets what was done to a turn and in these changesets of it, because a new turn reuses its id. */
  forgetTurn(turn: RunningTurn, channels: readonly URI[]): void {
    const keys = channels.flatMap((channel) => [`operations ${channel}`, reviewedKey(channel)]);
    for (const key of [...keys, duringKey(turn)]) {
      if (this.#read(key) !== undefined) this.#put(key, undefined, turn.session);
    }
  }

  /** For an operation of which nothing is left to undo. */
  forgetUndo(record: OperationRecord): void {
    this.#putChannel(record, (known) => ({ ...known, undo: known.undo.filter((other) => other !== record.id) }));
    this.#storeDone();
  }

  /** After a commit, operations that only staged something can no longer be undone. */
  committed(of: Pick<OperationRecord, 'channel' | 'session'>): void {
    const isMore = (id: string) => {
      const record = this.record(id);
      return record?.commit !== undefined || (record?.steps.length ?? 0) > 0;
    };
    this.#putChannel(of, (known) => ({ ...known, undo: known.undo.filter(isMore) }));
    this.#storeDone();
  }

  /** Drops steps that are too old or too many. Returns the JSON texts of those that stay, which name what they need. */
  retainHistory(folder: string, limits: HistoryLimits): string[] {
    const kept = this.history.retain(folder, limits);
    this.#door.flush();
    return kept;
  }

  /** Other data that operations store, such as what was reviewed. */
  note<T>(key: string): T | undefined {
    return this.#read<T>(key);
  }

  putNote(key: string, value: unknown, session: URI): void {
    this.#put(key, value, session);
    this.#door.flush();
  }

  /** If storing fails, the error says that the operation itself was done; nothing is rolled back. */
  #storeDone(): void {
    try {
      this.#door.flush();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new FolderEditError('unfinished', `It was done, but the host could not store that: ${why}`, { cause });
    }
  }

  #noteDuring(turn: RunningTurn, { id }: OperationRecord): void {
    const key = duringKey(turn);
    const ids = this.#read<string[]>(key) ?? [];
    if (!ids.includes(id)) this.#put(key, [...ids, id], turn.session);
  }

  #unfinishedIds(): string[] {
    return this.#read<string[]>(UNFINISHED) ?? [];
  }

  #forgetUnfinished(id: string): void {
    this.#put(
      UNFINISHED,
      this.#unfinishedIds().filter((other) => other !== id),
    );
  }

  #putChannel(
    { channel, session }: Pick<OperationRecord, 'channel' | 'session'>,
    change: (known: ChannelOperations) => ChannelOperations,
  ): void {
    if (channel !== undefined) this.#put(`operations ${channel}`, change(this.of(channel)), session);
  }

  #read<T>(key: string): T | undefined {
    const json = this.#door.documents.read('changes', key);
    return json === undefined ? undefined : (JSON.parse(json) as T);
  }

  #put(key: string, value: unknown, session?: URI): void {
    const json = value === undefined ? undefined : JSON.stringify(value);
    this.#door.documents.put({ collection: 'changes', key, json, ...(session !== undefined && { session }) });
  }
}

/** The operations that an undo on the changeset may take back: none of which something was undone already. */
function withUndone(undo: readonly string[], undone: OperationRecord | undefined): readonly string[] {
  if (!undone) return undo;
  const others = undo.filter((id) => id !== undone.id);
  return undone.undone === undefined ? [...others, undone.id] : others;
}

function duringKey({ session, turnId }: RunningTurn): string {
  return `operations-during ${session} ${turnId}`;
}

/** The key of the note on what was reviewed in a changeset. */
export function reviewedKey(channel: URI): string {
  return `reviewed ${channel}`;
}
