import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { demoAgent } from '@moorage/agents/demo';
import {
  type AgentProvider,
  type ClientTransport,
  type Clock,
  type CustomizationOptions,
  createHost,
  createTokenCredentials,
  type FilePeople,
  type Host,
  type HostOptions,
  type HttpHandler,
  type Incoming,
  listenWebSocket,
  type NodeShellsOptions,
  nodeClock,
  nodeFolders,
  nodePtys,
  nodeShells,
  openSqliteStore,
  type Ptys,
  type Sandbox,
  type Store,
  type StoreWithFeed,
  sqliteConversationIndex,
  type Telemetry,
  type TelemetrySource,
  type WebSocketListenerOptions,
  type Workspaces,
  type Worktrees,
} from '@moorage/host';
import { chatUri, type ReconnectResult, ROOT_URI, type SessionState, sessionUri } from '@moorage/protocol';
import { IS_THROUGH_GATEWAY, throughGateway } from './fleet/through-gateway.js';
import { WireClient, type WireClientOptions } from './wire-client.js';
import { workspaceErrors } from './workspaces.js';

export interface TestHostOptions {
  /** As a function they are made anew at each start: a host ends its agents for good. */
  readonly agents?: readonly AgentProvider[] | (() => readonly AgentProvider[]);
  readonly clock?: Clock;
  /** What each client may do; everything unless a test says otherwise. */
  readonly authorize?: HostOptions['authorize'];
  /** Who may use the host besides its owner. */
  readonly people?: FilePeople;
  /** What remembers files, kept in the given folder; without it there are no changesets. */
  readonly workspaces?: (folder: string) => Workspaces;
  /** Whether sessions can have work trees of their own, in the given folder. */
  readonly worktrees?: (folder: string) => Worktrees;
  /** What confines the programs of sessions; the folder is the host's own. */
  readonly sandbox?: (folder: string) => Sandbox;
  /** Wraps the store, to make it fail. */
  readonly store?: (store: StoreWithFeed) => Store;
  readonly mcp?: HostOptions['mcp'];
  readonly hostTools?: HostOptions['hostTools'];
  readonly audit?: HostOptions['audit'];
  /** Whether conversations can be searched. */
  readonly isSearchable?: boolean;
  /** How users are notified; the folder is where keys are kept. */
  readonly notifications?: (folder: string) => NonNullable<HostOptions['notifications']>;
  /** What the host says of itself. */
  readonly meta?: HostOptions['meta'];
  /** What the host tells of its work; nothing unless a test says otherwise. */
  readonly telemetry?: Telemetry & TelemetrySource;
  readonly limits?: WebSocketListenerOptions['limits'];
  /** What is served on the same port to a browser. */
  readonly http?: HttpHandler;
  /** The boot of the machine in which the host runs; the real one unless a test says otherwise. */
  readonly boot?: () => string | undefined;
  /** A folder to work in that exists already. */
  readonly workspace?: string;
  /** Where customizations are looked for besides the workspace; without it there are none. */
  readonly customizations?: CustomizationOptions;
  /** What terminals are made of; the real thing unless a test says otherwise. */
  readonly terminals?: Partial<Pick<NodeShellsOptions, 'shell' | 'environment'>> & { readonly ptys?: Ptys };
}

const TOKEN = 'test-token-0123456789';
const OTHER_TOKEN = 'other-token-0123456789';

/** A real host on a real socket with a real store, in this process; it can be stopped and started again. */
export class TestHost {
  readonly folder: string;
  readonly workspace: string;
  readonly errors: string[] = [];
  /** All that was logged, to look for what must not be. */
  readonly logged: string[] = [];
  /** The other side of every client's connection, in the order in which they came. */
  readonly transports: ClientTransport[] = [];
  readonly #options: TestHostOptions;
  readonly #clients: WireClient[] = [];
  #connections = 0;
  readonly #onClosed: (() => void)[] = [];
  host!: Host;
  url = '';
  #stop: () => Promise<void> = async () => {};

  static async start(options: TestHostOptions = {}): Promise<TestHost> {
    const host = new TestHost(options);
    await host.start();
    return host;
  }

  constructor(options: TestHostOptions) {
    this.#options = options;
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-test-')));
    this.workspace = options.workspace ?? realpathSync(mkdtempSync(join(tmpdir(), 'moorage-workspace-')));
  }

  async start(port = 0): Promise<void> {
    const {
      agents = [demoAgent({ isolation: 'none' })],
      clock = nodeClock,
      store: wrap = (store: StoreWithFeed): Store => store,
      limits = {},
    } = this.#options;
    const log = {
      write: (level: string, event: string, message: string, fields?: object) => {
        const line = `${event}: ${message} ${JSON.stringify(fields ?? {})}`;
        this.logged.push(line);
        if (level === 'error') this.errors.push(line);
      },
    };
    const { boot, people } = this.#options;
    const owner = createTokenCredentials({ token: TOKEN, other: OTHER_TOKEN });
    const file = openSqliteStore({ file: join(this.folder, 'store.sqlite'), log, ...(boot && { boot }) });
    const workspaces = this.#options.workspaces?.(this.folder);
    const worktrees = this.#options.worktrees?.(this.folder);
    this.host = createHost({
      store: wrap(file),
      agents: typeof agents === 'function' ? agents() : agents,
      clock,
      folders: worktrees
        ? nodeFolders([this.workspace, worktrees.directory], [this.folder])
        : nodeFolders([this.workspace]),
      ...(workspaces && { workspaces }),
      ...(this.#options.customizations && { customizations: this.#options.customizations }),
      ...(this.#options.mcp && { mcp: this.#options.mcp }),
      ...(this.#options.isSearchable && {
        conversationIndex: sqliteConversationIndex(join(this.folder, 'search.sqlite')),
      }),
      ...(this.#options.notifications && { notifications: this.#options.notifications(this.folder) }),
      automations: true,
      ...(this.#options.hostTools && { hostTools: this.#options.hostTools }),
      ...(this.#options.audit && { audit: this.#options.audit }),
      ...(people && { people: { people, page: () => undefined } }),
      ...(this.#options.authorize && { authorize: this.#options.authorize }),
      ...(this.#options.meta && { meta: this.#options.meta }),
      ...(worktrees && { worktrees }),
      ...(this.#options.sandbox && { sandbox: this.#options.sandbox(this.folder) }),
      terminals: {
        ptys: this.#options.terminals?.ptys ?? nodePtys(),
        shells: nodeShells({ directory: join(this.folder, 'shells'), ...this.#options.terminals }),
      },
      log,
      telemetry: this.#options.telemetry,
    });
    const gateway = IS_THROUGH_GATEWAY ? throughGateway((incoming) => this.#accept(incoming), log) : undefined;
    const listener = await listenWebSocket({
      host: '127.0.0.1',
      port,
      credentials: { check: (shown) => people?.check(shown) ?? owner.check(shown) },
      limits,
      isReady: () => true,
      ...(this.#options.http && { http: this.#options.http }),
      onClient: (incoming) => {
        this.transports.push(incoming.transport);
        if (gateway) gateway.accept(incoming);
        else this.#accept(incoming);
      },
      clock: nodeClock,
      log,
    });
    this.url = `ws://127.0.0.1:${listener.port}/`;
    this.#stop = async () => {
      await this.host.close();
      await gateway?.close();
      await listener.close();
      file.close();
    };
  }

  /** Stops the host in good order; its data stays. */
  stop(): Promise<void> {
    return this.#stop();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Another host, on what this one would leave behind if it were killed now; this one goes on as before. */
  async afterCrash(options: TestHostOptions = {}): Promise<TestHost> {
    const { agents: _agents, clock: _clock, store: _store, ...same } = this.#options;
    const host = new TestHost({ ...same, workspace: this.workspace, ...options });
    // A git that still runs may take these away while they are copied.
    cpSync(this.folder, host.folder, { recursive: true, filter: (path) => !/\.lock$|\/tmp_[^/]*$/.test(path) });
    await host.start();
    return host;
  }

  /** Closes a client and waits until the host has noticed. */
  async leave(client: WireClient): Promise<void> {
    await client.close();
    const open = this.#clients.filter(({ socket }) => socket.readyState === socket.OPEN).length;
    while (this.#connections > open) await new Promise<void>((resolve) => this.#onClosed.push(resolve));
  }

  #accept(incoming: Incoming): void {
    this.#connections++;
    this.host.accept(incoming);
    incoming.transport.onClose(() => {
      this.#connections--;
      for (const resolve of this.#onClosed.splice(0)) resolve();
    });
  }

  get token(): string {
    return TOKEN;
  }

  /** A second credential, with a name of its own. */
  get otherToken(): string {
    return OTHER_TOKEN;
  }

  get workspaceUri(): string {
    return pathToFileURL(this.workspace).href;
  }

  async client(options: Partial<WireClientOptions> = {}): Promise<WireClient> {
    const client = await WireClient.connect({ url: this.url, token: TOKEN, ...options });
    this.#clients.push(client);
    return client;
  }

  /** A connection before its handshake. */
  async rawClient(options: { clientId?: string; clientSeq?: number; token?: string } = {}): Promise<WireClient> {
    const client = await WireClient.open({ url: this.url, token: TOKEN, ...options });
    this.#clients.push(client);
    return client;
  }

  /** A new connection of a client that takes up where the last one ended. */
  async reconnect(
    before: Pick<WireClient, 'clientId' | 'clientSeq' | 'lastSeen'>,
    subscriptions: string[],
    lastSeenServerSeq = before.lastSeen,
  ): Promise<{ client: WireClient; result: ReconnectResult }> {
    const { clientId, clientSeq } = before;
    const client = await this.rawClient({ clientId, clientSeq });
    const params = { channel: ROOT_URI, clientId, lastSeenServerSeq, subscriptions } as const;
    return { client, result: await client.request('reconnect', params) };
  }

  /** A new session with its default chat, ready and subscribed to by the client. */
  async session(
    client: WireClient,
    params: object = {},
    session = this.newSessionUri(),
  ): Promise<{ session: string; chat: string }> {
    await client.request('createSession', {
      channel: session,
      provider: 'demo',
      workingDirectories: [this.workspaceUri],
      ...params,
    });
    const state = await client.subscribe<SessionState>(session);
    if (state.lifecycle === 'creating') await client.action(session, 'session/ready');
    const chat = state.defaultChat ?? '';
    await client.subscribe(chat);
    return { session, chat };
  }

  newChatUri(): string {
    return chatUri.format(crypto.randomUUID());
  }

  newSessionUri(): string {
    return sessionUri.format(crypto.randomUUID());
  }

  /** Ends everything; fails when the host broke the wire or logged an error that was not expected. */
  async dispose({ expectErrors }: { expectErrors?: RegExp } = {}): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
    if (!this.#options.workspace) rmSync(this.workspace, { recursive: true, force: true });
    const errors = [...this.errors, ...workspaceErrors.splice(0)].filter((error) => !expectErrors?.test(error));
    if (errors.length > 0) throw new Error(`the host logged errors:\n${errors.join('\n')}`);
  }
}

export function userMessage(text: string) {
  return { text, origin: { kind: 'user' as const } };
}
