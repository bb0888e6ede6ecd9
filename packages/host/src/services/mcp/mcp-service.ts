import {
  type ModelSelection,
  openRequests,
  type ProtectedResourceMetadata,
  primaryDirectory,
  type SessionState,
  selectionOf,
  type URI,
} from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { AgentMcpServer } from '../../ports/agent.js';
import type { AgentMcpTool } from '../../ports/agent-tools.js';
import { FolderError } from '../../ports/folders.js';
import { type Mcp, McpError, type McpTool } from '../../ports/mcp.js';
import type { HostContext } from '../context.js';
import { inTime } from '../in-time.js';
import { type McpServerDeclaration, type McpTokens, NO_TOKENS } from './declaration.js';
import { isServerRequest } from './elicitation.js';
import { entriesOf } from './entries.js';
import { TURN_WAIT_MS } from './limits.js';
import type { Sample } from './running-calls.js';
import { boundedSampling } from './sampling.js';
import type { ServerRun } from './server-run.js';
import { SessionServers } from './session-servers.js';
import { SideChannels } from './side-channel.js';

export interface McpServiceOptions {
  readonly client: Mcp;
  /** Servers of every session, from the configuration. */
  readonly servers: readonly McpServerDeclaration[];
  readonly tokens?: McpTokens | undefined;
  /** Further servers of one session. */
  readonly ofSession?: ((session: Channel<'session'>) => readonly McpServerDeclaration[]) | undefined;
}

/** A tool that can be called, or the reason why it cannot. */
export type FoundTool =
  | { readonly run: ServerRun; readonly tool: McpTool }
  | { readonly run?: ServerRun | undefined; readonly problem: string };

/** Runs the MCP servers of sessions in use, shows them to clients and offers their tools to agents. */
export class McpService {
  readonly sideChannels: SideChannels;
  readonly tokens: McpTokens;
  readonly #context: HostContext;
  readonly #options: McpServiceOptions;
  readonly #sessions = new Map<URI, SessionServers>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(context: HostContext, options: McpServiceOptions) {
    this.#context = context;
    this.#options = options;
    this.tokens = options.tokens ?? NO_TOKENS;
    this.sideChannels = new SideChannels(context.door, context.log);
  }

  tokensChanged(resource: string): void {
    for (const servers of this.#sessions.values()) servers.tokensChanged(resource);
  }

  /** Starts the session's servers, unless they have been started. */
  use(session: Channel<'session'>): void {
    if (this.#isClosed || !this.#context.door.isOpen(session)) return;
    const servers = [...this.#options.servers, ...(this.#options.ofSession?.(session) ?? [])];
    const hasServers = servers.length > 0 || entriesOf(session.state).length > 0;
    if (hasServers || this.#sessions.has(session.uri)) this.#serversOf(session).activate(servers);
  }

  /** Sets the servers of a plugin or directory, which the session shows as children of `container`. */
  declare(session: Channel<'session'>, container: string, servers: readonly McpServerDeclaration[]): void {
    if (this.#isClosed || (servers.length === 0 && !this.#sessions.has(session.uri))) return;
    this.#serversOf(session).declare(container, servers);
    if (this.#context.door.subscriptions.has(session.uri)) this.use(session);
  }

  /** Starts the servers and waits, for at most TURN_WAIT_MS, until each is known to work or not. Never rejects. */
  async ready(session: Channel<'session'>, signal: AbortSignal): Promise<void> {
    this.use(session);
    const servers = this.#sessions.get(session.uri);
    if (servers) await inTime(servers.settled(), TURN_WAIT_MS, this.#context.clock, signal);
  }

  toolsOf(session: URI): AgentMcpTool[] {
    const named = [...(this.#sessions.get(session)?.byName ?? [])];
    return named.flatMap(([server, { tools }]) => tools.map((tool) => ({ ...tool, server })));
  }

  findTool(session: URI, server: string, name: string): FoundTool {
    const named = this.#sessions.get(session)?.byName;
    const run = named?.get(server);
    const known = [...(named?.keys() ?? [])].join(', ') || 'none';
    if (!run) return { problem: `There is no MCP server "${server}". There are: ${known}.` };
    if (run.state.kind !== 'ready')
      return { run, problem: `The MCP server "${server}" is not ready (${run.state.kind}).` };
    const tool = run.tools.find((candidate) => candidate.name === name);
    return tool ? { run, tool } : { run, problem: `The MCP server "${server}" has no tool "${name}".` };
  }

  /** The servers that are not stopped, for agents that connect to servers themselves. */
  launchesOf(session: Channel<'session'>): AgentMcpServer[] {
    this.use(session);
    const named = [...(this.#sessions.get(session.uri)?.byName ?? [])];
    return named.flatMap(([name, run]) => {
      if (run.state.kind === 'stopped') return [];
      const { launch, id } = run.declaration;
      const token = run.resource === undefined ? undefined : this.tokens.tokenFor(session.uri, run.resource);
      if (launch.kind !== 'http' || token === undefined) return [{ id, name, launch }];
      return [{ id, name, launch: { ...launch, headers: { ...launch.headers, Authorization: `Bearer ${token}` } } }];
    });
  }

  /**
   * The resources that servers of any session have asked tokens for (OQ-73), so that clients can also renew a token
   * before it is refused.
   */
  get protectedResources(): ProtectedResourceMetadata[] {
    const runs = [...this.#sessions.values()].flatMap((servers) => servers.runs);
    return runs.flatMap(({ protection }) => protection ?? []);
  }

  /** Marks servers as stopped and cancels their questions after a restart: servers do not survive the host. */
  settleAfterRestart(channel: Channel): void {
    const { door } = this.#context;
    if (isKind(channel, 'session')) {
      for (const { server } of entriesOf(channel.state)) {
        if (server.state.kind === 'stopped' && server.channel === undefined) continue;
        door.commit(channel, { type: 'session/mcpServerStateChanged', id: server.id, state: { kind: 'stopped' } });
      }
    }
    if (!isKind(channel, 'chat')) return;
    for (const { id: requestId } of openRequests(channel.state)) {
      if (isServerRequest(requestId))
        door.commit(channel, { type: 'chat/inputCompleted', requestId, response: 'cancel' });
    }
  }

  /** Stops the servers of a session that was disposed or is being unloaded. */
  release(session: URI): void {
    const servers = this.#sessions.get(session);
    this.#sessions.delete(session);
    if (!servers) return;
    const closing = servers.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const session of [...this.#sessions.keys()]) this.release(session);
    await Promise.all(this.#closing);
  }

  onUsed(uri: URI): void {
    const { door, clock } = this.#context;
    // Deferred, so that a new subscriber gets its snapshot before the actions that follow from this.
    clock.defer(() => {
      const channel = door.channels.peek(uri);
      if (isKind(channel, 'session') && door.subscriptions.has(uri)) this.use(channel);
    });
  }

  onSession({ channel, action }: Committed<'session'>): void {
    const servers = this.#sessions.get(channel.uri);
    if (!servers) return;
    if (CHANGES.has(action.type)) servers.sync();
    if (action.type === 'session/activeClientSet') servers.tokensChanged(); // the new active client may have tokens
    if (action.type === 'session/mcpServerStartRequested') servers.startRequested(action.id);
    if (action.type === 'session/mcpServerStopRequested') servers.stopRequested(action.id);
  }

  #serversOf(session: Channel<'session'>): SessionServers {
    const known = this.#sessions.get(session.uri);
    if (known) return known;
    const servers = new SessionServers(this.#context, session, (declaration, changed) => {
      const { clock, ids } = this.#context;
      return {
        mcp: this.#options.client,
        clock,
        folder: () => this.#folderOf(session.state),
        newChannel: () => `mcp://${ids.next()}`,
        tokenFor: (resource) => this.tokens.tokenFor(session.uri, resource),
        sample: declaration.sampling ? this.#samplerOf(session) : undefined,
        changed: (run) => {
          this.sideChannels.follow(run);
          changed(run);
        },
        listChanged: (run, list) => this.sideChannels.listChanged(run, list),
      };
    });
    this.#sessions.set(session.uri, servers);
    return servers;
  }

  /** Resolved at each start, because a folder may go and come back. */
  #folderOf(session: SessionState): string | undefined {
    const workingDirectory = primaryDirectory(session);
    try {
      return workingDirectory === undefined ? undefined : this.#context.folders.resolve(workingDirectory);
    } catch (cause) {
      throw cause instanceof FolderError ? new McpError({ kind: 'unreachable' }, cause.message, { cause }) : cause;
    }
  }

  /** The model that the session's default chat uses. */
  #modelOf({ defaultChat }: SessionState): ModelSelection | undefined {
    const chat = defaultChat === undefined ? undefined : this.#context.door.channels.find('chat', defaultChat);
    return chat && selectionOf(chat.state).model;
  }

  /** The model of the session's agent, if the agent lets others use it. */
  #samplerOf(session: Channel<'session'>): Sample | undefined {
    const { provider: id } = session.state;
    const provider = this.#context.agents.get(id);
    const sample = provider?.sample?.bind(provider);
    if (!sample) return undefined;
    return (request, signal) => sample(boundedSampling(request), { model: this.#modelOf(session.state), signal });
  }
}

/** Actions after which a server may be switched on or off, or shown with an outdated state. */
const CHANGES: ReadonlySet<string> = new Set([
  'session/customizationToggled',
  'session/customizationUpdated',
  'session/customizationsChanged',
  'session/customizationRemoved',
]);
