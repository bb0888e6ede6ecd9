import { type ActionOf, chatUri, type RootState, reservedNumbers, supportedVersions, type URI } from '@ahpd/protocol';
import { nodeClock } from './adapters/clock-node/index.js';
import { nodeFileLists } from './adapters/file-lists-node/index.js';
import { nodeFiles } from './adapters/files-node/index.js';
import { nodeIds } from './adapters/ids-node/index.js';
import { sdkMcp } from './adapters/mcp-sdk/index.js';
import { nodeWatcher } from './adapters/watcher-node/index.js';
import { type Channel, isKind } from './core/channel.js';
import { Door } from './core/door.js';
import { isUnderWay } from './core/unsettled.js';
import {
  type AgentProvider,
  type Clock,
  type FileLists,
  type Files,
  type Folders,
  type Ids,
  type Incoming,
  type Log,
  NO_TELEMETRY,
  type Store,
  silentLog,
  type Telemetry,
  type TelemetrySource,
  type Watcher,
  type Workspaces,
  type Worktrees,
} from './ports/index.js';
import type { Connection } from './server/connection.js';
import { DispatchMemory } from './server/dispatch-memory.js';
import { handshakeHandlers } from './server/handshake.js';
import { Server } from './server/server.js';
import { statelessChannels } from './server/stateless-channels.js';
import { subscribeHandler } from './server/subscribe.js';
import { AgentRegistry } from './services/agents.js';
import { AnnotationService } from './services/annotations/annotation-service.js';
import { AuthService } from './services/auth/auth-service.js';
import { authCommands } from './services/auth/commands.js';
import { redactingLog } from './services/auth/redacting-log.js';
import { TokenVault } from './services/auth/token-vault.js';
import { ChangesetService } from './services/changesets/changeset-service.js';
import { operationCommands } from './services/changesets/operations/commands.js';
import { OperationService } from './services/changesets/operations/operation-service.js';
import { completionCommands } from './services/completions/commands.js';
import { CompletionService, TRIGGERS } from './services/completions/completion-service.js';
import { FileIndexes } from './services/completions/file-indexes.js';
import { commandSource } from './services/completions/sources/commands.js';
import { commentSource } from './services/completions/sources/comments.js';
import { fileSource } from './services/completions/sources/files.js';
import { symbolSource } from './services/completions/sources/symbols.js';
import { configCommands } from './services/config/commands.js';
import { ConfigService } from './services/config/config-service.js';
import { ContentService } from './services/content/content-service.js';
import type { HostContext } from './services/context.js';
import type { CustomizationOptions } from './services/customizations/catalogues.js';
import { CustomizationService } from './services/customizations/customization-service.js';
import { FolderNews } from './services/folder-news.js';
import { guardedClock } from './services/guarded-clock.js';
import { McpService, type McpServiceOptions } from './services/mcp/mcp-service.js';
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
import { AgentCommands } from './services/turns/agent-commands.js';
import { ClientTools } from './services/turns/client-tools.js';
import { TurnService } from './services/turns/turn-service.js';
import { watchCommands } from './services/watches/commands.js';
import { WatchService } from './services/watches/watch-service.js';
import { WorktreeService } from './services/worktrees/worktree-service.js';

export interface HostOptions {
  readonly store: Store;
  readonly agents: readonly AgentProvider[];
  readonly folders: Folders;
  /** What remembers the files of sessions; without it there are no changesets. */
  readonly workspaces?: Workspaces;
  /** What makes git work trees for sessions that ask for one. Its folder must be one of the folders. */
  readonly worktrees?: Worktrees;
  /** The files that clients and agents ask for; default: this machine's. */
  readonly files?: Files;
  /** The names of files that are offered while somebody writes; default: this machine's. */
  readonly fileLists?: FileLists;
  /** What tells of changes on disk; default: this machine's. */
  readonly watcher?: Watcher;
  /** Where customizations are looked for besides the workspace; without it sessions have none. */
  readonly customizations?: CustomizationOptions;
  /** What runs programs for clients and agents; without it there are no terminals. */
  readonly terminals?: TerminalPorts;
  /** The MCP servers that every session has; what runs them is the official SDK unless said otherwise. */
  readonly mcp?: Partial<McpServiceOptions>;
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
  const { folders, workspaces, ids = nodeIds, meta } = options;
  const vault = new TokenVault();
  const telemetry: Telemetry = options.telemetry ?? NO_TELEMETRY;
  const store = timedStore(options.store, telemetry);
  const log = redactingLog(telemetryLog(options.log ?? silentLog, telemetry), vault);
  const { files = nodeFiles(), watcher = nodeWatcher() } = options;
  const onEffectError = (error: unknown) => log.write('error', 'an effect failed', { error: describe(error) });
  const clock = guardedClock(options.clock ?? nodeClock, onEffectError);
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
  const worktrees = options.worktrees && new WorktreeService(context, options.worktrees);
  const config = new ConfigService(context, root.settings, options.worktrees);
  const sessions = new SessionService(context, root, config, worktrees);
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
  const customizations =
    options.customizations && new CustomizationService(context, resources, watcher, options.customizations);
  if (customizations) sessions.onEnding((session) => customizations.sessionEnded(session));
  const clientTools = new ClientTools(clock, isConnected);
  const changesets = workspaces && new ChangesetService(context, workspaces);
  const operations = workspaces && changesets && new OperationService(context, changesets, workspaces);
  const terminals = options.terminals && new TerminalService(context, options.terminals, root, isConnected);
  if (terminals) sessions.onEnding((session) => terminals.endSession(session));
  const mcp = new McpService(context, { client: sdkMcp(), servers: [], ...options.mcp });
  sessions.onEnding((session) => mcp.leave(session));
  const news = new FolderNews({ workspaces, watcher, folders, clock, log });
  const annotations = new AnnotationService(context, changesets, news);
  sessions.onEnding((session) => annotations.endSession(session));
  const commands = new AgentCommands(context);
  const turns = new TurnService(context, {
    sessions,
    auth,
    contents,
    clientTools,
    annotations,
    commands,
    mcp,
    changesets,
    terminals,
    customizations,
  });
  sessions.setQuiet((chats) => inTime(clock, Promise.all([turns.quiet(chats), terminals?.quiet()])));
  const indexes = new FileIndexes(context, options.fileLists ?? nodeFileLists(), news);
  const completions = new CompletionService(context, sessions, [
    commandSource(commands),
    fileSource(context, indexes),
    ...(changesets ? [symbolSource(context, changesets)] : []),
    commentSource(annotations),
  ]);
  if (changesets) {
    door.onMissing((uri) => changesets.open(uri) as Channel | undefined);
    sessions.onEnding((session) => changesets.endSession(session));
  }
  const retention = new RetentionService(
    context,
    root.settings,
    workspaces,
    (workspace) => changesets?.isInUse(workspace) ?? false,
    options.worktrees?.directory,
  );
  const cold = new ColdSessions(
    context,
    (channel) => turns.isBusy(channel.uri) || deferred.has(channel.uri) || isUnderWay(channel.kind, channel.state),
    (chat) => turns.release(chat),
    (session) => mcp.leave(session),
  );
  const dispatches = new DispatchMemory();
  door.onLost((lost) => {
    for (const { origin } of lost) if (origin) dispatches.remove(origin.clientId, origin.clientSeq);
  });
  const resource = resourceCommands(resources, changesets ? [contents, changesets] : [contents]);
  const stateless = statelessChannels({
    subscriptions: door.subscriptions,
    sideChannels: mcp.sideChannels,
    assertTelemetry: channels && ((uri) => channels.assertOffered(uri)),
  });
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
    completionTriggerCharacters: TRIGGERS,
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
      ...subscribeHandler({ stateless, prepare: (uri) => annotations.beforeShown(uri) }),
      ...sessionCommands(store, sessions, auth),
      ...configCommands(config),
      ...authCommands(auth),
      ...resource,
      ...(customizations && { resourceWrite: customizations.saving(resource.resourceWrite) }),
      ...watchCommands(watches),
      ...completionCommands(completions),
      ...(terminals && terminalCommands(terminals)),
      ...(operations && operationCommands(operations)),
    },
    sideChannels: mcp.sideChannels,
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
    mcp.settleAfterRestart(session as Channel);
    releaseIfGone(door, session, isConnected);
  };
  operations?.recover();
  worktrees?.recover();
  repeatLostChanges(context, settleSession);
  const settleAfterRestart = (uri: URI) => {
    const channel = door.channels.load(uri);
    if (isKind(channel, 'session')) settleSession(channel);
    if (!isKind(channel, 'chat')) return;
    mcp.settleAfterRestart(channel);
    resources.settleAfterRestart(channel); // before the turn is seen to wait for a question that was not its own
    turns.settleAfterRestart(channel);
  };
  for (const uri of store.header.unsettled) {
    try {
      settleAfterRestart(uri);
    } catch (error) {
      // One damaged session must not keep the host from serving the others.
      log.write('error', 'a session could not be taken up', { channel: uri, error: String(error) });
    }
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
      customizations?.close();
      indexes.dispose();
      await turns.dispose();
      await annotations.dispose();
      await mcp.close();
      await worktrees?.close();
      await operations?.idle();
      await terminals?.close();
      await workspaces?.close();
      await agents.dispose();
      flush();
    },
  };
}

/** Whether something came about in the time that an agent gets to stop, and some more to clear up. */
function inTime(clock: Clock, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(() => resolve(false), QUIET_MS);
    void work.then(() => {
      clock.clearTimeout(timer);
      resolve(true);
    });
  });
}

/** Milliseconds for agents and programs of an ended session to be gone: twice what an agent gets to stop. */
const QUIET_MS = 20_000;

const GOING_AWAY = 1001;

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
