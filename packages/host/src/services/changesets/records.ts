import type { URI } from '@moorage/protocol';
import type { FileChange, FileVersion, StateId } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';
import type { OperationRecord } from './journal.js';
import type { RunningTurn } from './running-turns.js';
import type { SessionFolder } from './session-folders.js';

/** What one turn or one operation changed. Without an `end`, the turn still runs or the host died during it. */
export interface TurnRecord {
  readonly turnId: string;
  /** The chat that the turn was in. Records of earlier versions do not have it, and operations have none. */
  readonly chat?: URI;
  readonly begin: StateId;
  readonly end?: { readonly files: readonly RecordedChange[]; readonly state?: StateId };
  /** It is an operation, and `files` are what it did on disk. */
  readonly isOperation?: true;
}

/** A change of a file with its place in the history of the folder, which records of earlier versions do not have. */
export interface RecordedChange extends FileChange {
  readonly at?: number;
  /** What the turn did to the file, step by step, if others changed it in between. */
  readonly steps?: readonly RecordedStep[];
}

export interface RecordedStep extends Pick<FileChange, 'before' | 'after' | 'sharedWith'> {
  readonly at: number;
}

/** An operation that changed files, and what it did on disk. */
interface DoneOperation extends Pick<OperationRecord, 'id' | 'steps'> {
  readonly at: number;
}

interface SessionRecord {
  /** The files when the session started. */
  readonly base?: StateId;
  /** The keys of all records: turns in the order in which they started, operations before turns that ran meanwhile. */
  readonly turns: readonly string[];
}

/** Sessions whose records stay parsed: those with a turn or an open changeset, on a busy host. */
const MAX_PARSED_SESSIONS = 32;

/** A session in one of its folders. */
type InFolder = Pick<SessionFolder, 'session' | 'key'>;

/** Stores what turns changed: for each folder of a session a small list of turns, and one document per turn. */
export class ChangeRecords {
  readonly #context: HostContext;
  /** Documents of the sessions that were used last, so that each is read and parsed once per change. */
  readonly #parsed = new Map<URI, Map<string, object | undefined>>();

  constructor(context: HostContext) {
    this.#context = context;
  }

  session(folder: InFolder): SessionRecord {
    return this.#read<SessionRecord>(folder, folder.key) ?? { turns: [] };
  }

  /** The record with this key. Retired turns and operations have keys that are not the id of any turn in a chat. */
  turn(folder: InFolder, turnId: string): TurnRecord | undefined {
    return this.#read<TurnRecord>(folder, turnKey(folder, turnId));
  }

  /** All records of a session in a folder, oldest first, including operations and turns that no chat has any more. */
  turns(folder: InFolder): TurnRecord[] {
    return this.session(folder).turns.flatMap((turnId) => this.turn(folder, turnId) ?? []);
  }

  putBase(folder: InFolder, base: StateId): void {
    this.#put(folder, folder.key, { ...this.session(folder), base });
  }

  putTurn(folder: InFolder, record: TurnRecord): void {
    const known = this.session(folder);
    if (!known.turns.includes(record.turnId)) {
      this.#put(folder, folder.key, { ...known, turns: [...known.turns, record.turnId] });
    }
    this.#put(folder, turnKey(folder, record.turnId), record);
  }

  /** Frees the id for a new turn. What the old turn changed stays part of the session, under a new key. */
  retireTurn(folder: InFolder, turnId: string): void {
    const record = this.turn(folder, turnId);
    if (!record) return;
    const known = this.session(folder);
    const key = this.#context.ids.next();
    this.#put(folder, folder.key, { ...known, turns: known.turns.map((id) => (id === turnId ? key : id)) });
    this.#put(folder, turnKey(folder, key), record);
    this.#put(folder, turnKey(folder, turnId), undefined);
  }

  /**
   * Records what an operation did to files that turns of the session changed, so that the session's changes add up. Listed
   * before the turns that still run.
   */
  putOperation(folder: InFolder, { id, at, steps }: DoneOperation, running: readonly RunningTurn[]): void {
    const turns = this.turns(folder);
    const isUnderWay = turns.some(({ end }) => !end); // it may have changed any of the files
    const changed = pathsIn(turns.flatMap(({ end }) => end?.files ?? []));
    const files = steps
      .filter(({ path }) => isUnderWay || changed.has(path))
      .map(({ from, to }): RecordedChange => ({ at, ...(from && { before: from }), ...(to && { after: to }) }));
    const known = this.session(folder);
    if (files.length === 0 || known.turns.includes(id)) return;
    const isRunning = (key: string) =>
      running.some(({ session, turnId }) => session === folder.session && turnId === key);
    const first = known.turns.findIndex(isRunning);
    const place = first < 0 ? known.turns.length : first;
    this.#put(folder, folder.key, { ...known, turns: known.turns.toSpliced(place, 0, id) });
    this.#put(folder, turnKey(folder, id), { turnId: id, begin: '', end: { files }, isOperation: true });
  }

  /** Call this when the session may be another one of the same name. */
  forget(session: URI): void {
    this.#parsed.delete(session);
  }

  #read<T extends object>({ session }: InFolder, key: string): T | undefined {
    const parsed = this.#parsedOf(session);
    if (!parsed.has(key)) {
      const json = this.#context.door.documents.read('changes', key);
      parsed.set(key, json === undefined ? undefined : (JSON.parse(json) as T));
    }
    return parsed.get(key) as T | undefined;
  }

  #parsedOf(session: URI): Map<string, object | undefined> {
    const parsed = this.#parsed.get(session) ?? new Map<string, object | undefined>();
    this.#parsed.delete(session);
    this.#parsed.set(session, parsed); // the last of the map is the last used
    const [oldest] = this.#parsed.keys();
    if (this.#parsed.size > MAX_PARSED_SESSIONS && oldest !== undefined) this.#parsed.delete(oldest);
    return parsed;
  }

  /** What a turn changed cannot be found out again. */
  #put({ session }: InFolder, key: string, value: object | undefined): void {
    this.#parsedOf(session).delete(key);
    this.#context.door.documents.keep({ collection: 'changes', key, session, json: value && JSON.stringify(value) });
  }
}

function pathsIn(changes: readonly FileChange[]): ReadonlySet<string> {
  const versions = changes.flatMap(({ before, after }) => [before, after]);
  return new Set(versions.flatMap((version) => version?.path ?? []));
}

/** The net effect of successive changes: each path as it was before the first of them and after the last. */
export function chain(records: readonly (readonly FileChange[])[]): { before: FileVersion[]; after: FileVersion[] } {
  const paths = new Map<string, { before: FileVersion | undefined; after: FileVersion | undefined }>();
  const touch = (path: string, before: FileVersion | undefined, after: FileVersion | undefined) => {
    const known = paths.get(path);
    paths.set(path, { before: known ? known.before : before, after });
  };
  for (const changes of records) {
    for (const { before, after } of changes) {
      // A move counts as a deletion and a creation; comparing the two results detects the move again.
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

function turnKey({ key }: InFolder, turnId: string): string {
  return `${key} ${turnId}`;
}
