import { randomUUID } from 'node:crypto';
import {
  type Bus,
  type Clock,
  type FeedBatch,
  type Log,
  type StateObjects,
  type Store,
  silentLog,
} from '@moorage/host';
import type { SessionSummary, URI } from '@moorage/protocol';
import { inParts } from '../keeping/messages.js';
import {
  FILE_MESSAGE_BYTES,
  MAX_ASKED,
  MAX_COMPARED_SESSIONS,
  MAX_STATE_BYTES,
  MAX_STATE_OBJECTS,
  MAX_WAITING,
} from './limits.js';
import { type FilesAnswer, filesSubject, readFilesAnswer, writeObjects } from './messages.js';
import { entriesOf, type KeptObject, packObject } from './objects.js';
import { objectsIn } from './records.js';

export interface FileShipperOptions {
  readonly host: string;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly objects: Pick<StateObjects, 'read'>;
  /** The workspaces of a session's folders. */
  readonly workspacesOf: (session: URI) => readonly string[];
  readonly log?: Log;
  readonly limits?: Partial<FileShipperLimits>;
}

export interface FileShipper {
  /** The fleet has stored these documents: what records among them refer to is shipped. */
  stored(documents: FeedBatch['documents']): void;
  /** Compares the newest sessions with the fleet: the host may have stopped before it had shipped their files. */
  compare(store: Pick<Store, 'sessions' | 'documents'>): Promise<void>;
  /** Records whose files are not shipped yet. */
  readonly waiting: number;
  /** Resolves once nothing waits any more, be it shipped or left out. */
  shipped(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds, and numbers of things. */
interface FileShipperLimits {
  readonly answer: number;
  /** Until what was not answered is sent again. */
  readonly retry: number;
  /** Until a fleet that keeps no files, or no more, is asked again. */
  readonly refused: number;
  readonly stateObjects: number;
  readonly stateBytes: number;
}

const LIMITS: FileShipperLimits = {
  answer: 10_000,
  retry: 2_000,
  refused: 15 * 60_000,
  stateObjects: MAX_STATE_OBJECTS,
  stateBytes: MAX_STATE_BYTES,
};

/** Records that are known to be shipped. */
const MAX_KNOWN = 20_000;

interface Waiting {
  readonly session: URI;
  readonly ids: readonly string[];
}

/**
 * Ships the states of sessions' folders, in the background: one request at a time, and at most half of the time. A folder is
 * shipped after all that is in it, so the fleet has all of a state whose top folder it has. Nothing waits for this.
 */
export function startFileShipper(options: FileShipperOptions): FileShipper {
  const { host, bus, clock, objects, workspacesOf, log = silentLog } = options;
  const limits = { ...LIMITS, ...options.limits };
  let waiting: Waiting[] = [];
  const known = new Set<string>();
  const tooLarge = new Set<URI>();
  const idle = new Set<() => void>();
  let closed = false;
  let running: Promise<void> | undefined;
  let wake = () => {};

  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = clock.setTimeout(() => wake(), milliseconds);
      wake = () => {
        clock.clearTimeout(timer);
        resolve();
      };
      if (closed) wake();
    });
  const ask = async (body: Uint8Array): Promise<FilesAnswer> => {
    const began = clock.now();
    const answer = readFilesAnswer(await bus.request(filesSubject(host), body, limits.answer));
    const took = clock.now() - began;
    if (took > 0 && !closed) await pause(took);
    if (answer.answer === 'off' || answer.answer === 'full') throw new Refused(answer.answer);
    return answer;
  };
  const lacking = async (ids: readonly string[]): Promise<readonly string[]> => {
    const lacks: string[] = [];
    for (let at = 0; at < ids.length; at += MAX_ASKED) {
      const body = JSON.stringify({ lacking: ids.slice(at, at + MAX_ASKED) });
      const answer = await ask(new TextEncoder().encode(body));
      if (answer.answer === 'lacks') lacks.push(...answer.ids);
    }
    return lacks;
  };
  const put = async (some: readonly KeptObject[]) => {
    for (;;) {
      let last: FilesAnswer['answer'] | undefined;
      for (const part of inParts(writeObjects(some), randomUUID(), Math.min(FILE_MESSAGE_BYTES, bus.maxBytes)))
        last = (await ask(part)).answer;
      if (last === 'kept' || closed) return;
      await pause(limits.retry); // parts were lost
    }
  };
  const read = async (workspaces: readonly string[], id: string) => {
    for (const workspace of workspaces) {
      const object = await objects.read(workspace, id);
      if (object) return object;
    }
    return undefined;
  };

  /** What the fleet lacks of these and of all that is in them: contents, and folders after what is in them. */
  const missing = async (workspaces: readonly string[], ids: readonly string[]) => {
    const inside = new Map<string, readonly string[]>();
    const contents = new Set<string>();
    const seen = new Set(ids);
    let level = ids;
    while (level.length > 0 && !closed) {
      const next: string[] = [];
      for (const id of await lacking(level)) {
        const object = await read(workspaces, id);
        if (object?.type !== 'tree') {
          contents.add(id);
          continue;
        }
        const children = entriesOf(object.content, id.length).map((entry) => entry.id);
        inside.set(id, children);
        for (const child of children) if (!seen.has(child) && seen.add(child)) next.push(child);
        if (seen.size > limits.stateObjects) throw new TooLarge();
      }
      level = next;
    }
    const folders: string[] = [];
    const placed = new Set<string>();
    const place = (id: string) => {
      if (placed.has(id)) return;
      placed.add(id);
      for (const child of inside.get(id) ?? []) if (inside.has(child)) place(child);
      folders.push(id);
    };
    for (const id of inside.keys()) place(id);
    return [...contents, ...folders];
  };
  const ship = async ({ session, ids }: Waiting) => {
    const unknown = ids.filter((id) => !known.has(id));
    if (unknown.length === 0 || tooLarge.has(session)) return;
    const workspaces = workspacesOf(session);
    let batch: KeptObject[] = [];
    let bytes = 0;
    let sum = 0;
    for (const id of await missing(workspaces, unknown)) {
      if (closed) return;
      const object = await packObject(id, await read(workspaces, id));
      sum += object.deflated.length;
      if (sum > limits.stateBytes) throw new TooLarge();
      if (bytes + object.deflated.length > FILE_MESSAGE_BYTES / 2 || batch.length >= MAX_ASKED / 2) {
        if (batch.length > 0) await put(batch);
        batch = [];
        bytes = 0;
      }
      batch.push(object);
      bytes += object.deflated.length;
    }
    if (batch.length > 0) await put(batch);
    for (const id of unknown) known.add(id);
    if (known.size > MAX_KNOWN) known.clear();
  };
  const run = async () => {
    for (let next = waiting[0]; next && !closed; next = waiting[0]) {
      try {
        await ship(next);
        waiting = waiting.filter((one) => one !== next);
      } catch (error) {
        if (closed) break;
        if (error instanceof TooLarge) {
          tooLarge.add(next.session);
          waiting = waiting.filter(({ session }) => session !== next?.session);
          log.write('warn', 'fleet.files-too-many', TOO_MANY, { session: next.session });
        } else if (error instanceof Refused) {
          log.write('warn', 'fleet.files-refused', REFUSED[error.reason], { host });
          waiting = [];
          await pause(limits.refused);
        } else {
          log.write('debug', 'fleet.files-not-shipped', 'files were not stored by the fleet, and are sent again', {
            reason: String(error),
          });
          await pause(limits.retry);
        }
      }
    }
    running = undefined;
    for (const resolve of idle) resolve();
    idle.clear();
  };
  const add = (session: URI, ids: readonly string[]) => {
    if (ids.length === 0 || closed) return;
    waiting.push({ session, ids });
    if (waiting.length > MAX_WAITING) waiting.splice(1, 1); // the first is under way
    running ??= Promise.resolve().then(run);
  };
  const state = bus.onState((isUp) => {
    if (isUp) wake();
  });
  return {
    stored: (documents) => {
      for (const { collection, session, json } of documents)
        if (collection === 'changes' && session !== undefined) add(session, objectsIn(json));
    },
    compare: async ({ sessions, documents }) => {
      for (const json of sessions.list().slice(0, MAX_COMPARED_SESSIONS)) {
        if (closed) return;
        const { resource } = JSON.parse(json) as SessionSummary;
        add(resource, [...new Set(documents.ofSession(resource).flatMap(objectsIn))]);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    get waiting() {
      return waiting.length;
    },
    shipped: () => (running ? new Promise((resolve) => idle.add(resolve)) : Promise.resolve()),
    close: async () => {
      closed = true;
      state.end();
      wake();
      await running;
    },
  };
}

class TooLarge extends Error {}

class Refused extends Error {
  readonly reason: 'off' | 'full';

  constructor(reason: 'off' | 'full') {
    super(reason);
    this.reason = reason;
  }
}

const TOO_MANY =
  'the files of a session are not shipped to the fleet until the host starts again: they are more than it takes (docs/FLEET-STORE.md)';

const REFUSED = {
  off: 'the gateways of the fleet keep no files (--keep-files 0): states of folders are not shipped',
  full: 'the fleet keeps as many files of this host as it may (--keep-files of its gateways): newer ones are not shipped',
} as const;
