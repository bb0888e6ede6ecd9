import {
  type AgentInfo,
  AhpErrorCodes,
  CloseCodes,
  type Implementation,
  type ListSessionsParams,
  ROOT_URI,
  type RootState,
  RpcError,
  requests,
  type SessionSummary,
  type URI,
} from '@moorage/protocol';
import { supportedVersions } from '@moorage/protocol/versions';
import { nodeFolders } from './adapters/folders-node/index.js';
import { createFoundation } from './compose/foundation.js';
import { notFound } from './core/errors.js';
import type { Handler, Handlers } from './core/handler.js';
import type { Audit, Clock, Incoming, Log, Store } from './ports/index.js';
import { Server } from './server/server.js';
import { AuditService } from './services/audit/audit-service.js';
import { auditCommands } from './services/audit/commands.js';
import { encodedPage, type SessionTexts } from './services/sessions/session-page.js';

export interface SessionIndexOptions {
  /** Holds who is connected, and nothing else: one in memory will do. */
  readonly store: Store;
  /** The time; default: the system's. */
  readonly clock?: Clock;
  /** Where it writes what happens; default: nowhere. */
  readonly log?: Log;
  /** What it says it is in the handshake. */
  readonly info?: Implementation;
  /** The `_meta` of its root channel. */
  readonly meta?: RootState['_meta'];
  /** A page of the summaries of all sessions, newest first. Throws an RpcError for parameters that make no sense. */
  readonly list: (params: ListSessionsParams) => Promise<SessionTexts>;
  /** The address at which a session is served; undefined for one that is not listed. */
  readonly addressOf: (session: URI) => Promise<string | undefined>;
  /** Keeps who did what here; without it nothing is kept. */
  readonly audit?: Audit;
  /** More requests that it answers. */
  readonly handlers: Handlers<IndexClient>;
}

/** Who asks. */
export interface IndexClient {
  /** The name of the credential that was presented. */
  readonly credential: string;
}

/**
 * A root that shows the sessions and agents of other hosts, and serves nothing else: sessions are found here, and steered at
 * their host's own address. Clients of every version are met as by a host.
 */
export interface SessionIndex {
  /** The versions of the protocol that it speaks. */
  readonly protocolVersions: readonly string[];
  /** Takes over a connection whose credential a listener has checked. */
  accept(incoming: Incoming): void;
  /** Shows these agents. */
  setAgents(agents: readonly AgentInfo[]): void;
  /** How many sessions are on hosts that are there. */
  setActiveSessions(count: number): void;
  /** Lists a session. */
  sessionAdded(summary: SessionSummary): void;
  /** Changes the entry of a session. */
  sessionChanged(session: URI, changes: Partial<SessionSummary>): void;
  /** Lists a session no longer. */
  sessionRemoved(session: URI): void;
  /** Closes all connections. */
  close(): void;
}

export function createSessionIndex(options: SessionIndexOptions): SessionIndex {
  const { store, clock: givenClock, log: givenLog, info, meta, list, addressOf, audit, handlers } = options;
  const { context, door, telemetry, authorize } = createFoundation({
    store,
    agents: [],
    folders: nodeFolders([]),
    ...(givenClock && { clock: givenClock }),
    ...(givenLog && { log: givenLog }),
  });
  const { clock, log } = context;
  const root = door.openEphemeral(ROOT_URI, 'root', { agents: [], activeSessions: 0, _meta: meta });

  const elsewhere = async (uri: URI) => {
    const address = await addressOf(uri);
    return address === undefined
      ? new RpcError(AhpErrorCodes.NotFound, 'this address only lists sessions: ask the host itself, at /hosts/ID/')
      : new RpcError(AhpErrorCodes.NotFound, `the session is served at ${address}`, { data: { address } });
  };
  const refused = Object.keys(requests).map((method) => [
    method,
    async ({ channel }: { channel: URI }) => {
      throw await elsewhere(channel);
    },
  ]);
  const listSessions: Handler<'listSessions'> = async (params) => encodedPage(await list(params));
  const audited = audit && new AuditService(context, audit);
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
    handlers: { ...Object.fromEntries(refused), listSessions, ...(audit && auditCommands(audit)), ...handlers },
    prepare: (uri) => {
      if (door.channels.has(uri)) return undefined;
      return elsewhere(uri).then((error) => Promise.reject(error));
    },
    load: () => undefined,
    sideChannels: {
      has: () => false,
      request: async (uri) => Promise.reject(await elsewhere(uri)),
      notification: () => {},
    },
    assertTelemetry: undefined,
    onReconnected: () => {},
    addChat: (session) => {
      throw notFound(session);
    },
    onClientAction: () => {},
    audit: audited,
    onTokensMissing: () => {},
  });
  // The numbers of this index mean nothing at another gateway. So whoever comes back begins anew, wherever that is.
  server.connections.onClientGone(({ clientId }) =>
    door.documents.put({ collection: 'client', key: clientId, json: undefined }),
  );

  return {
    protocolVersions: supportedVersions,
    accept: (incoming) => server.accept(incoming),
    setAgents: (agents) => door.commit(root, { type: 'root/agentsChanged', agents: [...agents] }),
    setActiveSessions: (activeSessions) => door.commit(root, { type: 'root/activeSessionsChanged', activeSessions }),
    sessionAdded: (summary) => door.notify('root/sessionAdded', { channel: ROOT_URI, summary }),
    sessionChanged: (session, changes) =>
      door.notify('root/sessionSummaryChanged', { channel: ROOT_URI, session, changes }),
    sessionRemoved: (session) => door.notify('root/sessionRemoved', { channel: ROOT_URI, session }),
    close: () => {
      server.connections.closeAll(CloseCodes.GoingAway, 'the gateway stops');
      door.close();
    },
  };
}
