import type { URI } from '@ahpd/protocol';
import type { DocumentPut } from '../../ports/store.js';
import type { FileChange, FileVersion, StateId } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';
import { STORE_RETRY_MS } from '../limits.js';
import type { RunningTurn } from './running-turns.js';

/** What is known of the files around one turn, or of what one operation did. Without an end it is still running, or the host died under it. */
export interface TurnRecord {
  readonly turnId: string;
  readonly begin: StateId;
  readonly end?: { readonly files: readonly FileChange[]; readonly state?: StateId };
}

interface SessionRecord {
  /** The files when the session started. */
  readonly base?: StateId;
  /** The keys of all records, in the order in which they started. */
  readonly turns: readonly string[];
}

/** Keeps what turns changed with their session: a small list of turns, and one document for each. */
export class ChangeRecords {
  readonly #context: HostContext;
  /** Nobody could find out again what turns did: what is not stored yet is kept here, and put until it is. */
  readonly #unstored = new Map<string, DocumentPut>();
  #retry: unknown;

  constructor(context: HostContext) {
    this.#context = context;
    context.door.onLost(() => this.#putAgain());
  }

  session(session: URI): SessionRecord {
    return this.#read<SessionRecord>(session) ?? { turns: [] };
  }

  /** The record of a turn that a chat has; keys of other records are nobody's turn. */
  turn(session: URI, turnId: string): TurnRecord | undefined {
    return this.#read<TurnRecord>(turnKey(session, turnId));
  }

  /** All records of a session, oldest first: also of turns that no chat has any more, and of operations. */
  turns(session: URI): TurnRecord[] {
    return this.session(session).turns.flatMap((turnId) => this.turn(session, turnId) ?? []);
  }

  putBase(session: URI, base: StateId): void {
    this.#put(session, session, { ...this.session(session), base });
  }

  putTurn(session: URI, record: TurnRecord): void {
    const known = this.session(session);
    if (!known.turns.includes(record.turnId)) {
      this.#put(session, session, { ...known, turns: [...known.turns, record.turnId] });
    }
    this.#put(session, turnKey(session, record.turnId), record);
  }

  /** The turn's id is another turn's from now on; what it changed stays part of the session, under a key of its own. */
  retireTurn(session: URI, turnId: string): void {
    const record = this.turn(session, turnId);
    if (!record) return;
    const known = this.session(session);
    const key = this.#context.ids.next();
    this.#put(session, session, { ...known, turns: known.turns.map((id) => (id === turnId ? key : id)) });
    this.#put(session, turnKey(session, key), record);
    this.#put(session, turnKey(session, turnId), undefined);
  }

  /** What an operation did between turns, so that the changes of the session add up; before turns that still run. */
  putOperation(session: URI, id: string, files: readonly FileChange[], running: readonly RunningTurn[]): void {
    const known = this.session(session);
    if (known.turns.includes(id)) return;
    const first = known.turns.findIndex((id) => running.some((turn) => turn.session === session && turn.turnId === id));
    const place = first < 0 ? known.turns.length : first;
    this.#put(session, session, { ...known, turns: known.turns.toSpliced(place, 0, id) });
    this.#put(session, turnKey(session, id), { turnId: id, begin: '', end: { files } });
  }

  #read<T>(key: string): T | undefined {
    const unstored = this.#unstored.get(key);
    const json = unstored ? unstored.json : this.#context.door.documents.read('changes', key);
    return json === undefined ? undefined : (JSON.parse(json) as T);
  }

  #put(session: URI, key: string, value: object | undefined): void {
    const put: DocumentPut = { collection: 'changes', key, session, json: value && JSON.stringify(value) };
    this.#unstored.set(key, put);
    this.#store(put);
  }

  #store(put: DocumentPut): void {
    const { door } = this.#context;
    door.documents.put(put);
    door.afterwards(() => {
      if (this.#unstored.get(put.key) === put) this.#unstored.delete(put.key);
    });
  }

  #putAgain(): void {
    if (this.#unstored.size === 0) return;
    const { clock } = this.#context;
    clock.clearTimeout(this.#retry);
    this.#retry = clock.setTimeout(() => {
      for (const put of this.#unstored.values()) this.#store(put);
    }, STORE_RETRY_MS);
  }
}

/** What many changes amount to: each path as it was before the first of them and after the last. */
export function chain(records: readonly (readonly FileChange[])[]): { before: FileVersion[]; after: FileVersion[] } {
  const paths = new Map<string, { before: FileVersion | undefined; after: FileVersion | undefined }>();
  const touch = (path: string, before: FileVersion | undefined, after: FileVersion | undefined) => {
    const known = paths.get(path);
    paths.set(path, { before: known ? known.before : before, after });
  };
  for (const changes of records) {
    for (const { before, after } of changes) {
      // A move is the end of one path and the beginning of another; comparing the outcome finds it again.
      if (before) touch(before.path, before, after?.path === before.path ? after : undefined);
      if (after && after.path !== before?.path) touch(after.path, undefined, after);
    }
  }
  const versions = [...paths.values()];
  return {
    before: versions.flatMap(({ before }) => before ?? []),
    after: versions.flatMap(({ after }) => after ?? []),
  };
}

function turnKey(session: URI, turnId: string): string {
  return `${session} ${turnId}`;
}
