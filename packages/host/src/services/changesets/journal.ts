import type { URI } from '@ahpd/protocol';
import { type EditStep, FolderEditError } from '../../ports/folder-editor.js';
import type { IndexEntry } from '../../ports/user-index.js';
import type { FileVersion } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';
import { MAX_UNDO_DEPTH } from './limits.js';
import type { RunningTurn } from './running-turns.js';

/** An operation that changes something: written down before it begins, and kept so that it can be undone. */
export interface OperationRecord {
  readonly id: string;
  readonly operationId: string;
  /** What it did, for people: "the revert of a.txt". */
  readonly label: string;
  /** The changeset where it happened. */
  readonly channel: URI;
  readonly session: URI;
  readonly folder: string;
  readonly steps: readonly EditStep[];
  readonly index?: readonly IndexStep[];
  /** How the changeset looks after it, where that does not follow from the folder. */
  readonly view?: readonly ViewChange[];
  /** The operation that it takes back. */
  readonly undoes?: string;
}

export interface IndexStep {
  readonly path: string;
  readonly from?: IndexEntry;
  readonly to?: IndexEntry;
}

/** A file that a finished turn left in one way is shown in another, because part of the change was taken back. */
export interface ViewChange {
  readonly base?: FileVersion | undefined;
  readonly wanted?: FileVersion | undefined;
}

/** What is remembered of the operations on one changeset. */
export interface ChannelOperations {
  /** Ids of what can be undone, newest last. */
  readonly undo: readonly string[];
  readonly views: readonly { readonly operation: string; readonly changes: readonly ViewChange[] }[];
  /** What became of an operation that the death of the host cut off. */
  readonly interrupted?: { readonly operationId: string; readonly outcome: 'finished' | 'rolledBack' };
}

const UNFINISHED = 'unfinished-operations';

/** The records of operations, in the store. Whatever is put here is stored when the call returns, or it throws. */
export class OperationJournal {
  readonly #context: HostContext;

  constructor(context: HostContext) {
    this.#context = context;
  }

  /** Before anything is touched; with the turns that run in the folder meanwhile. */
  begin(record: OperationRecord, turns: readonly RunningTurn[]): void {
    this.#put(`operation ${record.id}`, record, record.session);
    for (const turn of turns) this.#during(turn, record);
    this.#put(UNFINISHED, [...this.#unfinishedIds(), record.id]);
    this.#context.door.flush();
  }

  done(record: OperationRecord, turns: readonly RunningTurn[], outcome?: 'finished'): void {
    const { undo, views } = this.of(record.channel);
    const kept =
      record.undoes === undefined
        ? [...undo, record.id].slice(-MAX_UNDO_DEPTH)
        : undo.filter((id) => id !== record.undoes);
    const shown = record.view ? [...views, { operation: record.id, changes: record.view }] : views;
    for (const turn of turns) this.#during(turn, record);
    this.#putChannel(record, {
      undo: kept,
      views: shown.filter(({ operation }) => operation !== record.undoes),
      ...(outcome && { interrupted: { operationId: record.operationId, outcome } }),
    });
    this.#forgetUnfinished(record.id);
    this.#storeDone();
  }

  /** It changed nothing, or what it changed was put back. */
  dropped(record: OperationRecord, outcome?: 'rolledBack'): void {
    this.#put(`operation ${record.id}`, undefined, record.session);
    if (outcome) {
      const interrupted = { operationId: record.operationId, outcome };
      this.#putChannel(record, { ...this.of(record.channel), interrupted });
    }
    this.#forgetUnfinished(record.id);
    this.#context.door.flush();
  }

  unfinished(): OperationRecord[] {
    return this.#unfinishedIds().flatMap((id) => this.record(id) ?? []);
  }

  record(id: string): OperationRecord | undefined {
    return this.#read<OperationRecord>(`operation ${id}`);
  }

  of(channel: URI): ChannelOperations {
    return this.#read<ChannelOperations>(`operations ${channel}`) ?? { undo: [], views: [] };
  }

  /** The operation that an undo in this changeset would take back. */
  last(channel: URI): OperationRecord | undefined {
    const id = this.of(channel).undo.at(-1);
    return id === undefined ? undefined : this.record(id);
  }

  /** What operations did to files while a turn ran, oldest first: it is not the turn's doing. */
  duringTurn(turn: RunningTurn): EditStep[] {
    const ids = this.#read<string[]>(duringKey(turn)) ?? [];
    return ids.flatMap((id) => this.record(id)?.steps ?? []);
  }

  /** The turn's id is another turn's from now on, in all these changesets: what was done to the old one is not its own. */
  forgetTurn(turn: RunningTurn, channels: readonly URI[]): void {
    const keys = channels.flatMap((channel) => [`operations ${channel}`, reviewedKey(channel)]);
    for (const key of [...keys, duringKey(turn)]) {
      if (this.#read(key) !== undefined) this.#put(key, undefined, turn.session);
    }
  }

  /** A commit has taken up what is staged: what only staged something cannot be undone any more. */
  committed(channel: URI, session: URI): void {
    const known = this.of(channel);
    const undo = known.undo.filter((id) => (this.record(id)?.steps.length ?? 0) > 0);
    this.#put(`operations ${channel}`, { ...known, undo }, session);
    this.#storeDone();
  }

  /** Something else that operations remember, such as what was reviewed. */
  note<T>(key: string): T | undefined {
    return this.#read<T>(key);
  }

  putNote(key: string, value: unknown, session: URI): void {
    this.#put(key, value, session);
    this.#context.door.flush();
  }

  /** What was done stays done, and is said to be. */
  #storeDone(): void {
    try {
      this.#context.door.flush();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new FolderEditError('unfinished', `It was done, but the host could not store that: ${why}`, { cause });
    }
  }

  #during(turn: RunningTurn, { id }: OperationRecord): void {
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

  #putChannel({ channel, session }: OperationRecord, operations: ChannelOperations): void {
    this.#put(`operations ${channel}`, operations, session);
  }

  #read<T>(key: string): T | undefined {
    const json = this.#context.door.documents.read('changes', key);
    return json === undefined ? undefined : (JSON.parse(json) as T);
  }

  #put(key: string, value: unknown, session?: URI): void {
    const json = value === undefined ? undefined : JSON.stringify(value);
    this.#context.door.documents.put({ collection: 'changes', key, json, ...(session !== undefined && { session }) });
  }
}

function duringKey({ session, turnId }: RunningTurn): string {
  return `operations-during ${session} ${turnId}`;
}

/** Where it is noted what was reviewed in a changeset. */
export function reviewedKey(channel: URI): string {
  return `reviewed ${channel}`;
}
