import { type ActionOf, PROTOCOL_VERSION, type RootState, supportedVersions } from '@ahpd/protocol';
import { nodeClock } from './adapters/clock-node/index.js';
import { nodeIds } from './adapters/ids-node/index.js';
import { type Channel, isKind } from './core/channel.js';
import { Door } from './core/door.js';
import { isUnsettled } from './core/unsettled.js';
import type { AgentProvider, Clock, Folders, Ids, Incoming, Log, Store, Workspaces } from './ports/index.js';
import { DispatchMemory } from './server/dispatch-memory.js';
import { handshakeHandlers } from './server/handshake.js';
import { Server } from './server/server.js';
import { subscribeHandler } from './server/subscribe.js';
import { AgentRegistry } from './services/agents.js';
import { ChangesetService } from './services/changesets/changeset-service.js';
import { operationCommands } from './services/changesets/operations/commands.js';
import { OperationService } from './services/changesets/operations/operation-service.js';
import { contentCommands } from './services/content/commands.js';
import { ContentService } from './services/content/content-service.js';
import type { HostContext } from './services/context.js';
import { RootService } from './services/root/root-service.js';
import { releaseActiveClient, releaseIfGone } from './services/sessions/active-clients.js';
import { ColdSessions } from './services/sessions/cold-sessions.js';
import { sessionCommands } from './services/sessions/commands.js';
import { DeferredChanges } from './services/sessions/deferred-changes.js';
import { repeatLostChanges } from './services/sessions/lost-changes.js';
import { SessionService } from './services/sessions/session-service.js';
import { ClientTools } from './services/turns/client-tools.js';
import { TurnService } from './services/turns/turn-service.js';

export interface HostOptions {
  readonly store: Store;
  readonly agents: readonly AgentProvider[];
  readonly folders: Folders;
  /** What remembers the files of sessions; without it there are no changesets. */
  readonly workspaces?: Workspaces;
  readonly log?: Log;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Shown in root state; `hostBuild` is a key that clients know. */
  readonly meta?: RootState['_meta'];
}

export interface Host {
  readonly protocolVersions: readonly string[];
  /** Takes over a connection that a listener has let in. */
  accept(incoming: Incoming): void;
  /** Takes sessions out of memory that nobody uses; it also happens by itself. */
  unloadIdle(): void;
  /** Ends turns and connections, stores what is left, and lets go of the agents. The store stays open. */
  close(): Promise<void>;
}

/** A host in this process: durable sessions of the given agents, for any number of clients. */
export function createHost(options: HostOptions): Host {
  const { store, folders, workspaces, log = SILENT, clock = nodeClock, ids = nodeIds, meta } = options;
  let scheduled = false;
  const onStoreError = (error: unknown) => log.write('error', 'could not store', { error: String(error) });
  const flush = () => {
    scheduled = false;
    try {
      door.flush();
    } catch (error) {
      onStoreError(error);
    }
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    clock.defer(flush);
  };
  const onEffectError = (error: unknown) => log.write('error', 'an effect failed', { error: describe(error) });
  const door: Door = new Door({ store, now: () => clock.now(), schedule, onEffectError, onStoreError });
  const agents = new AgentRegistry(options.agents);
  const context: HostContext = { door, store, clock, ids, log, folders, agents };

  const root = new RootService(context, meta);
  const sessions = new SessionService(context, root);
  const contents = new ContentService(context);
  const deferred = new DeferredChanges(context); // before the turns: held changes apply before a queued message starts
  const isConnected = (clientId: string) => server.client(clientId) !== undefined;
  const clientTools = new ClientTools(clock, isConnected);
  const changesets = workspaces && new ChangesetService(context, workspaces);
  const operations = workspaces && changesets && new OperationService(context, changesets, workspaces);
  const turns = new TurnService(context, { sessions, contents, clientTools, changesets });
  if (changesets) {
    door.onMissing((uri) => changesets.open(uri) as Channel | undefined);
    sessions.onEnding((session) => changesets.endSession(session));
  }
  const cold = new ColdSessions(
    context,
    (channel) => turns.isBusy(channel.uri) || deferred.has(channel.uri) || isUnsettled(channel.kind, channel.state),
    (chat) => turns.release(chat),
  );
  const dispatches = new DispatchMemory();
  const handshake = {
    door,
    store,
    clock,
    server: () => server,
    dispatches,
    defaultDirectory: folders.defaultDirectory,
  };
  const server: Server = new Server({
    door,
    clock,
    log,
    dispatches,
    handlers: {
      ...handshakeHandlers(handshake),
      ...subscribeHandler(door),
      ...sessionCommands(store, sessions),
      ...(operations ? operationCommands(operations) : {}),
      ...contentCommands(changesets ? [contents, changesets] : [contents]),
    },
    onDeferred: ({ clientId }, { channel, clientSeq, action }) =>
      deferred.hold(channel, action as ActionOf<'session'>, { clientId, clientSeq }),
  });
  server.onClientGone(({ clientId }) => {
    releaseActiveClient(door, clientId);
    clientTools.clientGone(clientId);
  });

  const settleSession = (session: Channel<'session'>) => {
    sessions.settle(session);
    releaseIfGone(door, session, isConnected);
  };
  operations?.recover();
  repeatLostChanges(context, settleSession);
  for (const uri of store.header.unsettled) {
    const channel = door.channels.load(uri);
    if (isKind(channel, 'session')) settleSession(channel);
    if (isKind(channel, 'chat')) turns.settleAfterRestart(channel);
  }
  flush();

  return {
    protocolVersions: [PROTOCOL_VERSION, ...supportedVersions.filter((version) => version !== PROTOCOL_VERSION)],
    accept: (incoming) => server.accept(incoming),
    unloadIdle: () => {
      cold.sweep();
      flush();
    },
    async close() {
      cold.stop();
      flush();
      server.closeAll(GOING_AWAY, 'the host is stopping');
      clientTools.dispose();
      await turns.dispose();
      await operations?.idle();
      await workspaces?.close();
      await agents.dispose();
      flush();
    },
  };
}

const SILENT: Log = { write: () => {} };
const GOING_AWAY = 1001;

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
