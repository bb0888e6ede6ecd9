import {
  ExtensionMeta,
  type Implementation,
  kindOfUri,
  type ListSessionsParams,
  parseChangesetUri,
  type ResourceReadResult,
  ROOT_URI,
  type RootState,
  requests,
  type SessionState,
  type URI,
} from '@moorage/protocol';
import { nodeFolders } from './adapters/folders-node/index.js';
import { createFoundation } from './compose/foundation.js';
import { invalidParams, notAllowed, notFound } from './core/errors.js';
import type { Handler } from './core/handler.js';
import { fromStore } from './core/stored-channel.js';
import { turnsBefore } from './core/turn-pages.js';
import type { Authorize } from './ports/authorize.js';
import type { Clock, Incoming, Log, Store, StoredChannel } from './ports/index.js';
import { Server } from './server/server.js';
import { NOT_KEPT } from './services/changesets/file-versions.js';
import { parseFileVersionUri } from './services/changesets/files.js';
import { type KeptRecords, keptChanges } from './services/changesets/kept-changes.js';
import { contentUri } from './services/content/content-uri.js';
import { encodeContent, inEncoding } from './services/content/encoding.js';
import { DEFAULT_TURNS } from './services/sessions/limits.js';
import { encodedPage, type SessionTexts } from './services/sessions/session-page.js';
import { turnPage } from './services/sessions/turn-page.js';

export interface KeptHostOptions {
  /** Holds who is connected, and nothing else: one in memory will do. */
  readonly store: Store;
  /** The time; default: the system's. */
  readonly clock?: Clock;
  /** Default: nothing is logged. */
  readonly log?: Log;
  /** What it says it is in the handshake. */
  readonly info?: Implementation;
  /** Of the root, and of every session: says that the host itself is not there. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Said to whoever wants to change something. */
  readonly refusal: string;
  /** The sessions that were kept, a page at a time. */
  readonly list: (params: ListSessionsParams) => Promise<SessionTexts>;
  /** Undefined for what was never kept. */
  readonly readChannel: (uri: URI) => Promise<StoredChannel | undefined>;
  /** The document of a content, by its id. */
  readonly readContent: (id: string) => Promise<string | undefined>;
  /** What turns changed, and the contents of files. */
  readonly changes: KeptRecords;
}

/**
 * Shows what was kept of a host that is not there. Sessions, their chats and contents can be read; whoever wants to change
 * something is refused. It is made for one client, and reads what that asks for, when it asks.
 */
export function acceptAtKeptHost(incoming: Incoming, options: KeptHostOptions): void {
  const { clock: givenClock, log: givenLog, info, meta, refusal, list, readChannel, readContent, changes } = options;
  const read = new Map<URI, StoredChannel>();
  const store = storeOf(options.store, read);
  const { context, door, telemetry } = createFoundation({
    store,
    agents: [],
    folders: nodeFolders([]),
    ...(givenClock && { clock: givenClock }),
    ...(givenLog && { log: givenLog }),
  });
  const { clock, log } = context;
  const authorize: Authorize = (_person, attempt) =>
    attempt.kind === 'request' && READING.has(attempt.method) ? undefined : refusal;
  const forget = (uri: URI) => {
    if (!read.delete(uri)) return;
    door.channels.forget(uri);
  };
  door.connect({ authorize, onUnused: [forget] });
  door.openEphemeral(ROOT_URI, 'root', { agents: [], activeSessions: 0, _meta: meta as RootState['_meta'] });

  const load = (uri: URI): Promise<void> | undefined => (door.channels.peek(uri) ? undefined : readAll(uri));
  const readChanges = async (uri: URI): Promise<void> => {
    const { session = '', selector } = parseChangesetUri(uri) ?? {};
    await load(session);
    const [folder] = door.channels.find('session', session)?.state.workingDirectories ?? [];
    const state = selector && folder !== undefined && (await keptChanges(session, folder, selector, changes));
    if (!state) return;
    read.set(uri, { kind: 'changeset', session, snapshot: { seq: 0, json: JSON.stringify(state) }, tail: '' });
  };
  const readAll = async (uri: URI): Promise<void> => {
    if (kindOfUri(uri) === 'changeset') return readChanges(uri);
    const stored = await readChannel(uri);
    if (!stored) return;
    read.set(uri, stored.kind === 'session' ? withMeta(uri, stored, meta) : stored);
    if (stored.session !== uri) await load(stored.session); // a chat is shown with what its session says of it
  };
  const prepare = (uri: URI) => load(uri)?.then(() => assertKept(uri));
  const assertKept = (uri: URI) => {
    if (!read.has(uri)) throw notFound(uri, `nothing is kept of ${uri}: ${refusal}`);
  };

  const listSessions: Handler<'listSessions'> = async (params) => encodedPage(await list(params));
  const fetchTurns: Handler<'fetchTurns'> = async ({ channel, cursor, _meta }, client) => {
    await load(channel);
    const chat = door.channels.find('chat', channel);
    if (!chat) throw notFound(channel);
    const page = _meta?.[ExtensionMeta.page];
    if (page !== undefined) return turnPage(chat.state, page);
    if (cursor === undefined) return {};
    const loaded = turnsBefore(chat.state, cursor, DEFAULT_TURNS);
    if (!loaded) throw invalidParams('params/cursor: expected the "turnsNextCursor" of this chat');
    door.show(client, chat, loaded);
    return {};
  };
  const resourceRead: Handler<'resourceRead'> = async ({ uri, encoding }) => {
    const file = parseFileVersionUri(uri);
    if (file) {
      const content = await changes.content(file.contentId);
      if (content instanceof Uint8Array) return encodeContent(content, encoding);
      throw notFound(uri, content ? NOT_KEPT[content.reason] : `nothing is kept of ${uri}: ${refusal}`);
    }
    const id = contentUri.parse(uri);
    const json = id === undefined ? undefined : await readContent(id);
    if (json === undefined) throw notFound(uri, `nothing is kept of ${uri}: ${refusal}`);
    return inEncoding(JSON.parse(json) as ResourceReadResult, encoding);
  };
  const refused = Object.keys(requests).map((method) => [
    method,
    () => {
      throw notAllowed(refusal);
    },
  ]);
  const server = new Server({
    authorize,
    door,
    store,
    clock,
    log,
    telemetry,
    defaultDirectory: undefined,
    telemetryChannels: undefined,
    completionTriggerCharacters: [],
    serverInfo: info,
    handlers: { ...Object.fromEntries(refused), listSessions, fetchTurns, resourceRead },
    prepare,
    load,
    loadInitial: (uri) => load(uri)?.catch(() => {}), // what is damaged is left out
    sideChannels: {
      has: () => false,
      request: () => Promise.reject(notAllowed(refusal)),
      notification: () => {},
    },
    assertTelemetry: undefined,
    onReconnected: () => {},
    addChat: () => {
      throw notAllowed(refusal);
    },
    onClientAction: () => {},
    onTokensMissing: () => {},
  });
  server.connections.onEnded(() => door.close());
  server.accept(incoming);
}

/** What one may do where nothing can be changed. */
const READING: ReadonlySet<string> = new Set(['subscribe', 'listSessions', 'fetchTurns', 'resourceRead']);

/**
 * Above all numbers of any host, and far below where numbers end: a client that returns to the host itself has then seen
 * "more" than that has, and gets snapshots.
 */
const FIRST_NUMBER = 2 ** 50;

/** The same store, which also has what was read. */
function storeOf(own: Store, read: ReadonlyMap<URI, StoredChannel>): Store {
  const channels: Store['channels'] = {
    ...own.channels,
    read: (uri) => read.get(uri),
    readInPieces: () => undefined,
    exists: (uri) => read.has(uri),
    replay: () => undefined,
    trim: () => {},
  };
  const header = { seqCeiling: FIRST_NUMBER, unsettled: [] };
  return Object.create(own, { channels: { value: channels }, header: { value: header } }) as Store;
}

function withMeta(uri: URI, stored: StoredChannel, meta: KeptHostOptions['meta']): StoredChannel {
  const { state, seq } = fromStore(uri, stored);
  const { _meta } = state as SessionState;
  const json = JSON.stringify({ ...state, _meta: { ..._meta, ...meta } });
  return { ...stored, snapshot: { seq, json }, tail: '' };
}
