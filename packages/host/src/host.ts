import { type ActionOf, chatUri, type RootState, reservedNumbers, supportedVersions } from '@ahpd/protocol';
import { nodeClock } from './adapters/clock-node/index.js';
import { nodeFiles } from './adapters/files-node/index.js';
import { nodeIds } from './adapters/ids-node/index.js';
import { nodeWatcher } from './adapters/watcher-node/index.js';
import { type Channel, isKind } from './core/channel.js';
import { Door } from './core/door.js';
import { isUnsettled } from './core/unsettled.js';
import type {
  AgentProvider,
  Clock,
  Files,
  Folders,
  Ids,
  Incoming,
  Log,
  Store,
  Watcher,
  Workspaces,
  Worktrees,
} from './ports/index.js';
import { DispatchMemory } from './server/dispatch-memory.js';
import { handshakeHandlers } from './server/handshake.js';
import { Server } from './server/server.js';
import { subscribeHandler } from './server/subscribe.js';
import { AgentRegistry } from './services/agents.js';
import { ChangesetService } from './services/changesets/changeset-service.js';
import { operationCommands } from './services/changesets/operations/commands.js';
import { OperationService } from './services/changesets/operations/operation-service.js';
import { configCommands } from './services/config/commands.js';
import { ConfigService } from './services/config/config-service.js';
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
import { terminalCommands } from './services/terminals/commands.js';
import { type TerminalPorts, TerminalService } from './services/terminals/terminal-service.js';
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
  /** What tells of changes on disk; default: this machine's. */
  readonly watcher?: Watcher;
  /** What runs programs for clients and agents; without it there are no terminals. */
  readonly terminals?: TerminalPorts;
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
  });
  const agents = new AgentRegistry(options.agents);
  const context: HostContext = { door, store, clock, ids, log, folders, files, agents };

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
  const clientTools = new ClientTools(clock, isConnected);
  const changesets = workspaces && new ChangesetService(context, workspaces);
  const operations = workspaces && changesets && new OperationService(context, changesets, workspaces);
  const terminals = options.terminals && new TerminalService(context, options.terminals, root, isConnected);
  if (terminals) sessions.onEnding((session) => terminals.endSession(session));
  const turns = new TurnService(context, { sessions, contents, clientTools, changesets, terminals });
  sessions.setQuiet((chats) => inTime(clock, Promise.all([turns.quiet(chats), terminals?.quiet()])));
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
    (channel) => turns.isBusy(channel.uri) || deferred.has(channel.uri) || isUnsettled(channel.kind, channel.state),
    (chat) => turns.release(chat),
  );
  const dispatches = new DispatchMemory();
  door.onLost((lost) => {
    for (const { origin } of lost) if (origin) dispatches.remove(origin.clientId, origin.clientSeq);
  });
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
    store,
    clock,
    log,
    dispatches,
    defaultDirectory: folders.defaultDirectory,
    addChat: (session) => sessions.createChat({ channel: session, chat: chatUri.format(ids.next()) }),
    handlers: {
      ...handshakeHandlers(handshake),
      ...subscribeHandler(),
      ...sessionCommands(store, sessions),
      ...configCommands(config),
      ...resourceCommands(resources, changesets ? [contents, changesets] : [contents]),
      ...watchCommands(watches),
      ...(terminals && terminalCommands(terminals)),
      ...(operations && operationCommands(operations)),
    },
    onClientAction: ({ clientId }, params) => watches.heard(clientId, params),
    onDeferred: ({ clientId }, { channel, clientSeq, action }) =>
      deferred.hold(channel, action as ActionOf<'session'>, { clientId, clientSeq }),
  });
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
  worktrees?.recover();
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
      watches.dispose();
      await turns.dispose();
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

const SILENT: Log = { write: () => {} };
const GOING_AWAY = 1001;

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
