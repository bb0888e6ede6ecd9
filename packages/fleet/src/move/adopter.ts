import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type BroughtChannel,
  type Bus,
  type BusSubscription,
  type Clock,
  FolderError,
  type Folders,
  type Host,
  type Log,
  type StateObject,
  type StoredDocument,
  storedState,
  type Workspaces,
} from '@moorage/host';
import type { SessionState, URI } from '@moorage/protocol';
import { readObjects } from '../files/messages.js';
import { entriesOf, unpackObject } from '../files/objects.js';
import { objectsIn, stateIn } from '../files/records.js';
import { type AskGateway, Refusal } from './ask-gateway.js';
import { checkOut, isFree } from './checkout.js';
import {
  type NamedChannel,
  type ReadOf,
  readChannel,
  type TakeAnswer,
  type TakeRequest,
  takeSubject,
} from './messages.js';
import { MAX_OBJECTS } from './move-server.js';
import { TAKE_ANSWER_MS } from './take-session.js';
import type { TakenFile, TakingFolder } from './taken-file.js';

export interface AdopterOptions {
  readonly host: string;
  readonly bus: Bus;
  readonly ask: AskGateway;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  readonly log: Log;
  readonly taken: TakenFile;
  readonly moved: Pick<Host['moved'], 'bring' | 'has'>;
  readonly workspaces: Pick<Workspaces, 'objects' | 'idOf'>;
  readonly folders: Folders;
}

export interface Adopter {
  /** Resolves once the sessions are here that this host was taking when it died. */
  readonly resumed: Promise<void>;
  close(): void;
}

/** Bytes of conversations and contents of one session: all of it is in memory for a moment. */
const MAX_SESSION_BYTES = 512 * 1024 * 1024;

interface KeptChannel extends BroughtChannel {
  /** Its newest number. */
  readonly seq: number;
}

interface Kept {
  readonly channels: readonly KeptChannel[];
  readonly documents: readonly StoredDocument[];
  /** The newest number in it. */
  readonly upTo: number;
}

/**
 * Goes on with sessions of hosts that are away, when a gateway asks for it. The files are written first, then the fleet says
 * whose the session is, then it is stored here in one transaction. What was begun is noted on disk before the fleet is
 * asked: a host that dies in between goes on when it starts.
 */
export function startAdopter(options: AdopterOptions): Adopter {
  const { host, bus, ask, clock, log, taken, moved, workspaces, folders } = options;
  /** By their tickets. */
  const running = new Map<string, Promise<TakeAnswer>>();
  const busy = new Set<URI>();

  const readKept = async (ticket: string): Promise<Kept> => {
    let bytes = 0;
    const count = (more: number) => {
      bytes += more;
      if (bytes > MAX_SESSION_BYTES) throw new Refusal('the session is larger than a host can take');
    };
    const [channels, documents] = await Promise.all([
      readChannels(ask, ticket, count),
      readDocuments(ask, ticket, count),
    ]);
    return { channels, documents, upTo: Math.max(0, ...channels.map(({ seq }) => seq)) };
  };
  const take = async ({ ticket, session, epoch, folder: wanted }: TakeRequest): Promise<TakeAnswer> => {
    if (moved.has(session)) throw new Refusal('this host has the session already');
    if (taken.all.get(session)?.taking)
      throw new Refusal(
        'this host was taking the session when it stopped, and has not found out yet whether it has it',
      );
    let kept = await readKept(ticket);
    const lost: (LostFolder & { state: string | undefined })[] = [];
    for (const one of foldersIn(session, kept, workspaces))
      lost.push({ ...one, state: await newestState(ask, ticket, one.records) });
    const hasFolders = wanted !== undefined || lost.some(({ state }) => state !== undefined);
    const made: MadeFolder[] = [];
    const out = { files: 0, leftOut: 0 };
    let isAsked = false;
    try {
      for (const [index, { was, records, state }] of lost.entries()) {
        if (index > 0 ? state === undefined : !hasFolders) continue;
        const name = index > 0 && wanted !== undefined ? `${wanted}-${index + 1}` : wanted;
        const { path, remove } = await makeFolder(folders, session, name);
        made.push({ path, was, remove });
        await fetchObjects(ask, ticket, { folder: path, workspaces, ids: records.flatMap(objectsIn) });
        if (state === undefined) continue;
        const { files, leftOut } = await checkOut(path, state, (id) =>
          workspaces.objects.read(workspaces.idOf(path), id),
        );
        out.files += files;
        out.leftOut += leftOut;
      }
      isAsked = true;
      taken.set(session, { epoch: epoch + 1, taking: { folders: made.map(({ path, was }) => ({ path, was })) } });
      const { upTo } = (await ask.ask({ ask: 'take', ticket })).head;
      if (upTo !== kept.upTo) kept = await readKept(ticket); // its host was back for a moment
    } catch (error) {
      // Whether the fleet has given it to this host may be unknown; then it is found out when the host starts again.
      if (!isAsked || error instanceof Refusal) {
        taken.set(session, undefined);
        for (const place of made) await place.remove();
      }
      throw error;
    }
    await bring(session, kept, made);
    taken.set(session, { epoch: epoch + 1 });
    log.write('info', 'fleet.session-taken', 'this host goes on with a session of another', { session });
    const [folder, ...others] = made.map(({ path }) => path);
    return { folder, ...(others.length > 0 && { others }), ...out };
  };
  const bring = (session: URI, { channels, documents }: Kept, taking: readonly TakingFolder[]) =>
    moved.bring({
      session,
      channels,
      documents,
      folders: taking.map(({ path, was }) => ({ uri: pathToFileURL(path).href, was, id: workspaces.idOf(path) })),
    });
  const answered = async (request: TakeRequest): Promise<TakeAnswer> => {
    if (busy.has(request.session)) return { refused: 'this host is taking the session already' };
    busy.add(request.session);
    try {
      return await take(request);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.write('warn', 'fleet.session-not-taken', 'a session of another host could not be taken', {
        session: request.session,
        reason,
      });
      return { refused: reason };
    } finally {
      busy.delete(request.session);
    }
  };

  const serving: BusSubscription = bus.serve(takeSubject(host), async ({ body }) => {
    const request = JSON.parse(new TextDecoder().decode(body)) as TakeRequest;
    const { ticket } = request;
    const done = running.get(ticket) ?? answered(request);
    if (!running.has(ticket)) {
      running.set(ticket, done);
      void done.then(() => clock.setTimeout(() => running.delete(ticket), TAKE_ANSWER_MS)); // it may be asked for again
    }
    const answer = await Promise.race([done, later(clock, TAKE_ANSWER_MS / 2)]);
    return new TextEncoder().encode(JSON.stringify(answer ?? ({ underWay: true } satisfies TakeAnswer)));
  });

  const resume = async () => {
    for (const [session, { epoch, taking }] of taken.all) {
      if (!taking) continue;
      if (!moved.has(session)) {
        const { refused, ticket } = (await ask.ask({ ask: 'resume', session }, true)).head;
        if (refused !== undefined) {
          taken.set(session, undefined); // the fleet never gave it to this host
          log.write(
            'warn',
            'fleet.session-not-taken',
            'a session was not taken when this host died; its folders stay',
            {
              session,
              folders: taking.folders.map(({ path }) => path).join(', '),
            },
          );
          continue;
        }
        await bring(session, await readKept(String(ticket)), taking.folders);
      }
      taken.set(session, { epoch });
    }
  };
  const resumed = resume().catch((error: unknown) => {
    log.write(
      'error',
      'fleet.session-not-taken',
      'a session that this host was taking is not here yet; it is tried again at the next start',
      {
        reason: String(error),
      },
    );
  });
  return { resumed, close: () => serving.end() };
}

function later(clock: Pick<Clock, 'setTimeout'>, milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => clock.setTimeout(() => resolve(undefined), milliseconds));
}

/** Channels that are read at the same time. */
const CHANNELS_AT_ONCE = 4;

async function readChannels(ask: AskGateway, ticket: string, count: (bytes: number) => void): Promise<KeptChannel[]> {
  const names = await readJson<readonly NamedChannel[]>(ask, ticket, { kind: 'channels' });
  const channels: KeptChannel[] = [];
  for (let at = 0; at < names.length; at += CHANNELS_AT_ONCE) {
    const read = names.slice(at, at + CHANNELS_AT_ONCE).map(async ({ uri, kind }): Promise<KeptChannel[]> => {
      const stored = readChannel(await ask.read(ticket, { kind: 'channel', uri }));
      if (!stored) return [];
      count(stored.snapshot.json.length + stored.tail.length);
      return [{ uri, kind, ...storedState(uri, stored) }];
    });
    channels.push(...(await Promise.all(read)).flat());
  }
  return channels;
}

async function readDocuments(
  ask: AskGateway,
  ticket: string,
  count: (bytes: number) => void,
): Promise<StoredDocument[]> {
  const documents: StoredDocument[] = [];
  for (;;) {
    const last = documents.at(-1);
    const after = last && { collection: last.collection, key: last.key };
    const page = await readJson<readonly StoredDocument[]>(ask, ticket, { kind: 'documents', after });
    if (page.length === 0) return documents;
    count(page.reduce((sum, { json }) => sum + json.length, 0));
    documents.push(...page);
  }
}

async function readJson<T>(ask: AskGateway, ticket: string, of: ReadOf): Promise<T> {
  return JSON.parse(new TextDecoder().decode(await ask.read(ticket, of))) as T;
}

interface MadeFolder extends TakingFolder, EmptyFolder {}

/** A folder of the session, as its host had it. */
interface LostFolder {
  /** What the records of the folder were kept by there; undefined for the first one. */
  readonly was: string | undefined;
  /** What was changed in it: the record of the session itself, then those of its turns, oldest first. */
  readonly records: readonly string[];
}

/** The session's folders, the first one first; of the others those of which something was kept. */
function foldersIn(session: URI, { channels, documents }: Kept, { idOf }: Pick<Workspaces, 'idOf'>): LostFolder[] {
  const changes = new Map(
    documents.flatMap(({ collection, key, json }) => (collection === 'changes' ? [[key, json] as const] : [])),
  );
  const recordsOf = (key: string): readonly string[] => {
    const own = changes.get(key);
    if (own === undefined) return [];
    const { turns = [] } = JSON.parse(own) as { turns?: readonly string[] };
    return [own, ...turns.flatMap((turn) => changes.get(`${key} ${turn}`) ?? [])];
  };
  const state = channels.find(({ uri }) => uri === session)?.state as SessionState | undefined;
  const [, ...further] = state?.workingDirectories ?? [];
  const others = further.flatMap((uri) => {
    const was = uri.startsWith('file:') ? idOf(fileURLToPath(uri)) : '';
    const records = recordsOf(`folder ${was} ${session}`);
    return records.length > 0 ? { was, records } : [];
  });
  return [{ was: undefined, records: recordsOf(session) }, ...others];
}

/** The files as of the last turn of which the fleet has them. */
async function newestState(ask: AskGateway, ticket: string, records: readonly string[]): Promise<string | undefined> {
  const states = records.flatMap((json) => stateIn(json) ?? []).reverse();
  for (const state of states) {
    const found = readObjects(await ask.read(ticket, { kind: 'objects', ids: [state] }));
    if (found.length > 0) return state; // then all that is in it is there
  }
  return undefined;
}

/** Reads these and all that is in them, as far as the fleet has them, into the host's own store for a folder. */
async function fetchObjects(
  ask: AskGateway,
  ticket: string,
  { folder, workspaces, ids }: { folder: string; workspaces: Pick<Workspaces, 'objects'>; ids: readonly string[] },
): Promise<void> {
  const seen = new Set(ids);
  const due = [...seen];
  for (let some = due.splice(0, MAX_OBJECTS); some.length > 0; some = due.splice(0, MAX_OBJECTS)) {
    const kept = readObjects(await ask.read(ticket, { kind: 'objects', ids: some }));
    // Large ones come a few at a time; those that never come are not there.
    const got = new Set(kept.map(({ id }) => id));
    if (got.size > 0) due.push(...some.filter((id) => !got.has(id)));
    const objects: StateObject[] = [];
    for (const one of kept) {
      const object = await unpackObject(one);
      if (!object) continue;
      objects.push(object);
      if (object.type !== 'tree') continue;
      for (const { id } of entriesOf(object.content, one.id.length)) if (!seen.has(id) && seen.add(id)) due.push(id);
    }
    await workspaces.objects.add(folder, objects);
  }
}

interface EmptyFolder {
  /** A real path. */
  readonly path: string;
  /** Takes back what was put there. */
  remove(): Promise<void>;
}

/** A folder in which there is nothing. */
async function makeFolder(folders: Folders, session: URI, wanted: string | undefined): Promise<EmptyFolder> {
  if (wanted !== undefined) {
    if (!isAbsolute(wanted))
      throw new Refusal(`--folder: expected a path on the host that begins with /, not ${wanted}`);
    const isThere = existsSync(wanted);
    const path = isThere ? realFolder(folders, wanted) : join(realFolder(folders, dirname(wanted)), basename(wanted));
    if (!(await isFree(path))) throw new Refusal(`${path} is not empty: name a folder that is not there yet`);
    if (isThere) {
      const empty = async () => {
        for (const name of await readdir(path)) await rm(join(path, name), { recursive: true, force: true });
      };
      return { path, remove: empty };
    }
    return newFolder(folders, path);
  }
  const [root] = folders.roots;
  if (root === undefined) throw new Refusal('this host has no folder that sessions may use');
  const name = `moorage-${session.slice(session.lastIndexOf('/') + 1).slice(0, NAME_CHARS)}`;
  for (let number = 1; ; number++) {
    try {
      return await newFolder(folders, join(root, number === 1 ? name : `${name}-${number}`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function newFolder(folders: Folders, made: string): Promise<EmptyFolder> {
  await mkdir(made);
  const path = realFolder(folders, made);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Of a session's id, in the name of its folder. */
const NAME_CHARS = 8;

function realFolder(folders: Folders, path: string): string {
  try {
    return folders.resolve(pathToFileURL(path).href);
  } catch (error) {
    if (error instanceof FolderError) throw new Refusal(error.message);
    throw error;
  }
}
