import {
  type ActionOf,
  chatUri,
  integerDialect,
  kindOfUri,
  type RootState,
  reservedNumbers,
  supportedVersions,
  type URI,
} from '@ahpd/protocol';
import { nodeClock } from './adapters/clock-node/index.js';
import { nodeFiles } from './adapters/files-node/index.js';
import { nodeIds } from './adapters/ids-node/index.js';
import { nodeWatcher } from './adapters/watcher-node/index.js';
import { type Channel, isKind } from './core/channel.js';
import { Door } from './core/door.js';
import { isUnsettled } from './core/unsettled.js';
import {
  type AgentProvider,
  type Clock,
  type Files,
  type Folders,
  type Ids,
  type Incoming,
  type Log,
  NO_TELEMETRY,
  type Store,
  type Telemetry,
  type TelemetrySource,
  type Watcher,
  type Workspaces,
} from './ports/index.js';
import type { Connection } from './server/connection.js';
import { DispatchMemory } from './server/dispatch-memory.js';
import { handshakeHandlers } from './server/handshake.js';
import { Server } from './server/server.js';
import { subscribeHandler } from './server/subscribe.js';
import { AgentRegistry } from './services/agents.js';
import { AuthService } from './services/auth/auth-service.js';
import { authCommands } from './services/auth/commands.js';
import { redactingLog } from './services/auth/redacting-log.js';
import { TokenVault } from './services/auth/token-vault.js';
import { ChangesetService } from './services/changesets/changeset-service.js';
import { operationCommands } from './services/changesets/operations/commands.js';
import { OperationService } from './services/changesets/operations/operation-service.js';
import { ContentService } from './services/content/content-service.js';
import type { HostContext } from './services/context.js';
import { resourceCommands } from './services/resources/commands.js';
import { ResourceService } from './services/resources/resource-service.js';
import { RetentionService } from './services/retention/retention-service.js';
import { RootService } from './services/root/root-service.js';
import { releaseActiveClient, releaseIfGone } from './services/sessions/active-clients.js';
import { ColdSessions } from './services/sessions/cold-sessions.js';
import { sessionCommands } from './services/sessions/commands.js';
import { DeferredChanges } from './services/sessions/deferred-changes.js';
import { repeatLostChanges } from './services/sessions/lost-changes.js';
import { SessionService } from './services/sessions/session-service.js';
import { TelemetryChannels } from './services/telemetry/channels.js';
import { telemetryLog } from './services/telemetry/telemetry-log.js';
import { timedStore } from './services/telemetry/timed-store.js';
import { TurnTelemetry } from './services/telemetry/turn-telemetry.js';
import { terminalCommands } from './services/terminals/commands.js';
import { type TerminalPorts, TerminalService } from './services/terminals/terminal-service.js';
import { ClientTools } from './services/turns/client-tools.js';
import { TurnService } from './services/turns/turn-service.js';
import { watchCommands } from './services/watches/commands.js';
import { WatchService } from './services/watches/watch-service.js';

export interface HostOptions {
  readonly store: Store;
  readonly agents: readonly AgentProvider[];
  readonly folders: Folders;
  /** What remembers the files of sessions; without it there are no changesets. */
  readonly workspaces?: Workspaces;
  /** The files that clients and agents ask for; default: this machine's. */
  readonly files?: Files;
  /** What tells of changes on disk; default: this machine's. */
  readonly watcher?: Watcher;
  /** What runs programs for clients and agents; without it there are no terminals. */
  readonly terminals?: TerminalPorts;
  readonly log?: Log;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** What the host tells of its work, to clients that subscribe to it; without it nothing. */
  readonly telemetry?: (Telemetry & TelemetrySource) | undefined;
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
  const { folders, workspaces, clock = nodeClock, ids = nodeIds, meta } = options;
  const vault = new TokenVault();
  const telemetry: Telemetry = options.telemetry ?? NO_TELEMETRY;
  const store = timedStore(options.store, telemetry);
  const log = redactingLog(telemetryLog(options.log ?? SILENT, telemetry), vault);
  const { files = nodeFiles(), watcher = nodeWatcher() } = options;
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
  const door: Door = new Door({
    store,
    now: () => clock.now(),
    numbersFor: reservedNumbers,
    schedule,
    onEffectError,
    onStoreError,
    missingTokens: (sender, session) => auth.missingTokens(sender, session),
  });
  const agents = new AgentRegistry(options.agents);
  const context: HostContext = { door, store, clock, ids, log, folders, files, agents };

  const auth = new AuthService(context, vault, (clientId) => server.client(clientId)); // before the turns: it knows for whom they run
  new TurnTelemetry(context, telemetry);
  const channels = options.telemetry && new TelemetryChannels(options.telemetry, door.subscriptions);
  const root = new RootService(context, meta, options.terminals !== undefined);
  const sessions = new SessionService(context, root);
  const contents = new ContentService(context);
  const deferred = new DeferredChanges(context); // before the turns: held changes apply before a queued message starts
  const isConnected = (clientId: string) => server.client(clientId) !== undefined;
  const resources = new ResourceService(context, {
    isConnected,
    request: async (clientId, method, params, timeoutMs) =>
      server.peerOf(clientId).request(method, params, { timeoutMs }),
    notify: (clientId, method, params) => server.client(clientId)?.peer.notify(method, params),
  });
  sessions.onEnding((session) => resources.sessionEnded(session));
  const watches = new WatchService(context, resources, watcher);
  const clientTools = new ClientTools(clock, isConnected);
  const changesets = workspaces && new ChangesetService(context, workspaces);
  const operations = workspaces && changesets && new OperationService(context, changesets, workspaces);
  const terminals = options.terminals && new TerminalService(context, options.terminals, root, isConnected);
  if (terminals) sessions.onEnding((session) => terminals.endSession(session));
  const turns = new TurnService(context, { sessions, auth, contents, clientTools, changesets, terminals });
  if (changesets) {
    door.onMissing((uri) => changesets.open(uri) as Channel | undefined);
    sessions.onEnding((session) => changesets.endSession(session));
  }
  const retention = new RetentionService(context, workspaces, (workspace) => changesets?.isInUse(workspace) ?? false);
  const cold = new ColdSessions(
    context,
    (channel) => turns.isBusy(channel.uri) || deferred.has(channel.uri) || isUnsettled(channel.kind, channel.state),
    (chat) => turns.release(chat),
  );
  const dispatches = new DispatchMemory();
  door.onLost((lost) => {
    for (const { origin } of lost) if (origin) dispatches.remove(origin.clientId, origin.clientSeq);
  });
  const stateless = {
    attach: (uri: URI, connection: Connection) => {
      if (kindOfUri(uri) !== 'telemetry' || !channels || connection.dialect === integerDialect) return false;
      channels.assertOffered(uri);
      door.subscriptions.add(connection, uri);
      return true;
    },
  };
  const handshake = {
    door,
    store,
    clock,
    server: () => server,
    dispatches,
    defaultDirectory: folders.defaultDirectory,
    stateless,
    telemetry: channels?.capabilities,
    onBack: (connection: Connection) => auth.remind(connection),
  };
  const server: Server = new Server({
    door,
    store,
    clock,
    log,
    dispatches,
    defaultDirectory: folders.defaultDirectory,
    addChat: (session) => sessions.createChat({ channel: session, chat: chatUri.format(ids.next()) }),
    handlers: {
      ...handshakeHandlers(handshake),
      ...subscribeHandler(stateless),
      ...sessionCommands(store, sessions, auth),
      ...authCommands(auth),
      ...resourceCommands(resources, changesets ? [contents, changesets] : [contents]),
      ...watchCommands(watches),
      ...(terminals && terminalCommands(terminals)),
      ...(operations && operationCommands(operations)),
    },
    onClientAction: ({ clientId }, params) => watches.heard(clientId, params),
    telemetry,
    onTokensMissing: (connection, channel, resources) => auth.ask(connection, channel, resources),
    onDeferred: ({ clientId }, { channel, clientSeq, action }) =>
      deferred.hold(channel, action as ActionOf<'session'>, { clientId, clientSeq }),
  });
  telemetry.observe('ahp.connections', () => server.load.connections);
  telemetry.observe('ahp.outbox.queued_chars', () => server.load.queuedChars);
  telemetry.observe('ahp.sessions', () => store.sessions.count());
  server.onConnectionEnded((connection) => auth.clientGone(connection));
  server.onClientGone(({ clientId }) => {
    releaseActiveClient(door, clientId);
    clientTools.clientGone(clientId);
    resources.clientGone(clientId);
    watches.clientGone(clientId);
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
    if (!isKind(channel, 'chat')) continue;
    resources.settleAfterRestart(channel); // before the turn is seen to wait for a question that was not its own
    turns.settleAfterRestart(channel);
  }
  flush();

  return {
    protocolVersions: supportedVersions,
    accept: (incoming) => server.accept(incoming),
    unloadIdle: () => {
      cold.sweep();
      flush();
    },
    async close() {
      cold.stop();
      retention.stop();
      flush();
      server.closeAll(GOING_AWAY, 'the host is stopping');
      clientTools.dispose();
      auth.dispose();
      watches.dispose();
      await turns.dispose();
      await operations?.idle();
      await terminals?.close();
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
