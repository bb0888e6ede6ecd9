import type { AhpMcpUiHostCapabilities, McpServerState, ProtectedResourceMetadata, URI } from '@moorage/protocol';
import type { Clock } from '../../ports/clock.js';
import {
  type Mcp,
  type McpConnection,
  McpError,
  type McpTool,
  type McpToolCall,
  type McpToolResult,
} from '../../ports/mcp.js';
import { ChangedLists, type ServerList } from './changed-lists.js';
import type { McpServerDeclaration } from './declaration.js';
import { RESTART_MS, STABLE_MS } from './limits.js';
import { type Caller, RunningCalls, type Sample } from './running-calls.js';
import { challengeOf, ServerTokens } from './server-tokens.js';

/** What one server needs from the host, and reports to it. */
export interface ServerRunHost {
  readonly mcp: Mcp;
  readonly clock: Clock;
  /** The server's working folder. Throws an McpError if it cannot be used now. */
  folder(): string | undefined;
  newChannel(): URI;
  tokenFor(resource: string): string | undefined;
  /** Undefined if the server may not use a model here. */
  readonly sample: Sample | undefined;
  /** The state or the channel has changed. */
  changed(run: ServerRun): void;
  /** A list of the server has changed; clients on its channel are notified. */
  listChanged(run: ServerRun, list: ServerList): void;
}

/**
 * Runs one server of a session. A server that fails is restarted a few times; after that, and after a stop, only
 * `start` runs it again.
 */
export class ServerRun {
  readonly declaration: McpServerDeclaration;
  readonly #host: ServerRunHost;
  #state: McpServerState = { kind: 'stopped' };
  #channel: URI | undefined;
  #connection: McpConnection | undefined;
  #capabilities: AhpMcpUiHostCapabilities | undefined;
  #tools: readonly McpTool[] = [];
  /** Aborts what is under way for the current run of the server. */
  #currentRun: AbortController | undefined;
  #opening: Promise<void> = Promise.resolve();
  readonly #closing = new Set<Promise<void>>();
  #restarts = 0;
  #readySince = 0;
  #restart: unknown;
  readonly #onReady = new Set<() => void>();
  readonly #calls = new RunningCalls();
  readonly #tokens: ServerTokens;
  readonly #changedLists: ChangedLists;

  constructor(declaration: McpServerDeclaration, host: ServerRunHost) {
    this.declaration = declaration;
    this.#host = host;
    this.#tokens = new ServerTokens(declaration, (resource) => host.tokenFor(resource));
    this.#changedLists = new ChangedLists(host.clock, (lists) => void this.#refresh(lists));
  }

  get state(): McpServerState {
    return this.#state;
  }

  /** The channel on which clients reach the server while it is ready. */
  get channel(): URI | undefined {
    return this.#channel;
  }

  get tools(): readonly McpTool[] {
    return this.#tools;
  }

  /** What clients may do with the server; known once it has been ready. */
  get capabilities(): AhpMcpUiHostCapabilities | undefined {
    return this.#capabilities;
  }

  /** The resource that the server's tokens are for; undefined if it needs none. */
  get resource(): string | undefined {
    return this.#tokens.resource;
  }

  /** What the server has said about the tokens it needs. */
  get protection(): ProtectedResourceMetadata | undefined {
    return this.#tokens.protection;
  }

  get sample(): Sample | undefined {
    return this.#host.sample;
  }

  /** Starts the server unless it runs. A failed server is tried again at once. */
  start(): void {
    if (this.#currentRun) return;
    this.#restarts = 0;
    this.#begin();
  }

  /** Stops the server; resolves when its connections are closed. */
  async stop(): Promise<void> {
    this.#end();
    this.#become({ kind: 'stopped' });
    await this.gone();
  }

  async gone(): Promise<void> {
    await Promise.all([this.#opening, ...this.#closing]);
  }

  /** Resolves when it is known whether the server could be started. */
  settled(): Promise<void> {
    return this.#opening;
  }

  /** Resolves when the server is ready, however long that takes; never if the signal aborts first. */
  whenReady(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.#state.kind === 'ready') return resolve();
      this.#onReady.add(resolve);
      signal.addEventListener('abort', () => this.#onReady.delete(resolve), { once: true });
    });
  }

  /** Tries again if the server waits for a token and there is one now. */
  tokensChanged(): void {
    if (this.#state.kind === 'authRequired' && this.#tokens.current !== undefined) this.#begin();
  }

  /** Rejects with an McpError, also if the server dies meanwhile. */
  callTool(call: McpToolCall, caller: Caller): Promise<McpToolResult> {
    return this.#calls.during(caller, () => this.#watching((connection) => connection.callTool(call)));
  }

  request(method: string, params: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<object> {
    return this.#watching((connection) => connection.request(method, params, signal));
  }

  /** Uses the connection. Some failed requests show that the server has become unusable. */
  async #watching<T>(use: (connection: McpConnection) => Promise<T>): Promise<T> {
    const connection = this.#connection;
    if (!connection) throw new McpError({ kind: 'closed' }, 'it is not running');
    try {
      return await use(connection);
    } catch (error) {
      if (error instanceof McpError && this.#connection === connection) {
        const { kind } = error.failure;
        if (kind === 'authRequired' || kind === 'unreachable') this.#failed(error);
      }
      throw error;
    }
  }

  #begin(): void {
    this.#end();
    const run = new AbortController();
    this.#currentRun = run;
    // A server that waits for a token shows that until it is ready (B-238).
    if (this.#state.kind !== 'authRequired') this.#become({ kind: 'starting' });
    this.#opening = this.#open(run);
  }

  async #open(run: AbortController): Promise<void> {
    await Promise.all(this.#closing); // two processes of one server could interfere with each other
    const token = this.#tokens.current;
    let connection: McpConnection | undefined;
    try {
      connection = await this.#host.mcp.connect({
        launch: this.declaration.launch,
        folder: this.#host.folder(),
        token: () => this.#tokens.current,
        signal: run.signal,
        handlers: {
          ...this.#calls.handlers(this.#host.sample),
          listChanged: (list) => this.#changedLists.add(list),
          closed: (error) => {
            if (this.#currentRun === run) this.#failed(error);
          },
        },
      });
      this.#ready(connection, await toolsWhileWanted(connection, run.signal));
    } catch (error) {
      await connection?.close();
      if (this.#currentRun !== run || run.signal.aborted) return;
      if (this.#tokens.hasAnother(error, token)) await this.#open(run);
      else this.#failed(error, token);
    }
  }

  #ready(connection: McpConnection, tools: readonly McpTool[]): void {
    this.#connection = connection;
    this.#tools = tools;
    this.#readySince = this.#host.clock.now();
    const { offers } = connection;
    this.#capabilities = {
      ...(offers.tools && { serverTools: { listChanged: offers.tools.listChanged } }),
      ...(offers.resources && { serverResources: { listChanged: offers.resources.listChanged } }),
      ...(offers.logging && { logging: {} }),
      ...(this.#host.sample && { sampling: {} }),
    };
    const hasCapabilities = Object.keys(this.#capabilities).length > 0;
    this.#become({ kind: 'ready' }, hasCapabilities ? this.#host.newChannel() : undefined);
  }

  #failed(error: unknown, token?: string): void {
    this.#end();
    const challenge = challengeOf(error);
    if (challenge) {
      this.#become(this.#tokens.refused(challenge, token));
      return;
    }
    const { clock } = this.#host;
    if (this.#readySince > 0 && clock.now() - this.#readySince >= STABLE_MS) this.#restarts = 0;
    this.#readySince = 0;
    const why = error instanceof McpError ? error.message : 'it failed unexpectedly';
    const delay = RESTART_MS[this.#restarts++];
    const next = delay === undefined ? 'Switch it off and on to try again.' : 'It will be restarted in a moment.';
    const message = `The MCP server "${this.declaration.name}" does not work: ${why.replace(/\.$/, '')}. ${next}`;
    if (delay !== undefined) this.#restart = clock.setTimeout(() => this.#begin(), delay);
    this.#become({ kind: 'error', error: { errorType: 'mcpServerFailed', message } });
  }

  /** Closes the connection; the caller sets the state. */
  #end(): void {
    this.#host.clock.clearTimeout(this.#restart);
    this.#changedLists.stop();
    this.#currentRun?.abort();
    this.#currentRun = undefined;
    const connection = this.#connection;
    this.#connection = undefined;
    this.#tools = [];
    if (!connection) return;
    const closing = connection.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #become(state: McpServerState, channel?: URI): void {
    this.#state = state;
    this.#channel = channel;
    this.#host.changed(this);
    if (state.kind !== 'ready') return;
    for (const resolve of this.#onReady) resolve();
    this.#onReady.clear();
  }

  async #refresh(lists: readonly ServerList[]): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    if (lists.includes('tools')) {
      const tools = await connection.listTools().catch(() => undefined);
      if (this.#connection !== connection) return;
      if (tools) this.#tools = tools;
    }
    for (const list of lists) this.#host.listChanged(this, list);
  }
}

/**
 * Lists the tools, and closes the connection if `signal` aborts: nothing else would close it yet, and a server may take
 * long to answer.
 */
async function toolsWhileWanted(connection: McpConnection, signal: AbortSignal): Promise<readonly McpTool[]> {
  const close = () => void connection.close().catch(() => undefined); // the pending request reports the failure
  signal.addEventListener('abort', close, { once: true });
  try {
    if (!signal.aborted) {
      const tools = await connection.listTools();
      if (!signal.aborted) return tools;
    }
    throw new McpError({ kind: 'closed' }, 'it is no longer needed');
  } finally {
    signal.removeEventListener('abort', close);
  }
}
