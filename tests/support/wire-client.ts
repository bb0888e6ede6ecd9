import {
  type ActionEnvelope,
  actionRow,
  type ClientCapabilities,
  type CommandMap,
  createPeer,
  JsonRpcErrorCodes,
  lenient,
  notificationRow,
  type Peer,
  ROOT_URI,
  RpcError,
  requestRow,
  type ServerNotificationMap,
  type Snapshot,
  type StateAction,
  strict,
} from '@moorage/protocol';
import { WebSocket } from 'ws';
import { socketTransport } from './socket-transport.js';

export interface WireClientOptions {
  readonly url: string;
  readonly token: string;
  readonly clientId?: string;
  readonly subscriptions?: readonly string[];
  readonly capabilities?: ClientCapabilities;
  /** Versions that are offered; ours unless said otherwise. */
  readonly versions?: readonly string[];
  /** What the client says besides. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The name of the program; one of ours unless said otherwise, and none if it is null. */
  readonly program?: string | null;
  /** The last clientSeq that was used; a client that reconnects counts on. */
  readonly clientSeq?: number;
}

let clients = 0;

/**
 * A client that knows nothing but the wire: for tests that must see exactly what a host sends. Every frame that
 * arrives is held against the strict schemas; the first that fails them fails the test in `close`.
 */
export class WireClient {
  readonly clientId: string;
  readonly envelopes: ActionEnvelope[] = [];
  readonly notifications: { method: string; params: unknown }[] = [];
  /** Everything that came without being asked for, in order: action types and the methods of other notifications. */
  readonly received: string[] = [];
  readonly violations: string[] = [];
  /** What it answers when the host asks, by method; what is not here it does not serve. */
  readonly serves = new Map<string, (params: never) => unknown>();
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly peer: Peer;
  readonly socket: WebSocket;
  #clientSeq: number;
  #told = 0;
  #changed: (() => void)[] = [];

  static async connect(options: WireClientOptions): Promise<WireClient> {
    const client = await WireClient.open(options);
    await client.request('initialize', {
      channel: ROOT_URI,
      clientId: client.clientId,
      protocolVersions: [...(options.versions ?? ['1.0.0'])],
      initialSubscriptions: [...(options.subscriptions ?? [])],
      ...(options.meta && { _meta: options.meta }),
      ...(options.program !== null && { clientInfo: { name: options.program ?? 'moorage-tests' } }),
      ...(options.capabilities && { capabilities: options.capabilities }),
    });
    return client;
  }

  /** Connects without the handshake. */
  static async open({ url, token, clientId, clientSeq }: WireClientOptions): Promise<WireClient> {
    const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${token}` } });
    const client = new WireClient(socket, clientId ?? `test-client-${++clients}`, clientSeq);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    return client;
  }

  constructor(socket: WebSocket, clientId: string, clientSeq = 0) {
    this.clientId = clientId;
    this.#clientSeq = clientSeq;
    this.socket = socket;
    this.peer = createPeer(socketTransport(socket), {
      onRequest: (method, params) => {
        const answer = this.serves.get(method);
        if (!answer) throw new RpcError(JsonRpcErrorCodes.MethodNotFound, `this client does not serve ${method}`);
        return answer(params as never);
      },
      onNotification: (method, params) => this.#receive(method, params),
      onProtocolError: (message) => this.violations.push(message),
      limits: { maxFrameChars: 128 * 1024 * 1024 }, // for tests that make far more than anybody would
    });
    this.closed = new Promise((resolve) =>
      socket.once('close', (code, reason) => {
        resolve({ code, reason: reason.toString() });
        this.#wake();
      }),
    );
  }

  /** The last clientSeq that was used. */
  get clientSeq(): number {
    return this.#clientSeq;
  }

  /** The highest serverSeq that arrived in any way. */
  get lastSeen(): number {
    return Math.max(this.#told, this.envelopes.at(-1)?.serverSeq ?? 0);
  }

  async request<M extends keyof CommandMap>(
    method: M,
    params: CommandMap[M]['params'],
  ): Promise<CommandMap[M]['result']> {
    const result = await this.peer.request(method, params);
    const row = requestRow(method);
    const problem = row && strict(row.result).explain(result);
    if (problem) this.violations.push(`result of ${method}${problem.path}: expected ${problem.expected}`);
    this.#told = Math.max(this.#told, seqIn(result));
    return result as CommandMap[M]['result'];
  }

  /** Sends a request that must fail, and gives its error. */
  async refused(method: string, params: object): Promise<{ code: number; message: string; data?: unknown }> {
    try {
      const result = await this.peer.request(method, params);
      throw new Error(`${method} was answered with ${JSON.stringify(result)}`);
    } catch (error) {
      if (error instanceof Error && 'code' in error) return error as unknown as { code: number; message: string };
      throw error;
    }
  }

  /** Waits until everything that the host has decided so far for this client has arrived. */
  async sync(): Promise<void> {
    await this.request('ping', { channel: ROOT_URI });
  }

  async subscribe<S>(channel: string): Promise<S> {
    return (await this.snapshot<S>(channel)).state;
  }

  /** Subscribes and gives the whole snapshot. */
  async snapshot<S>(channel: string): Promise<{ state: S; fromSeq: number }> {
    const { snapshot } = await this.request('subscribe', { channel });
    if (snapshot?.resource !== channel) throw new Error(`no snapshot of ${channel}`);
    return { state: snapshot.state as S, fromSeq: snapshot.fromSeq };
  }

  /** Dispatches an action and gives its clientSeq. The action may be anything: a test may send nonsense. */
  dispatch(channel: string, action: StateAction | object): number {
    const clientSeq = ++this.#clientSeq;
    this.peer.notify('dispatchAction', { channel, clientSeq, action });
    return clientSeq;
  }

  /** Dispatches and waits for the echo or the rejection. */
  async act(channel: string, action: StateAction | object): Promise<ActionEnvelope> {
    const clientSeq = this.dispatch(channel, action);
    return this.envelope((e) => e.origin?.clientId === this.clientId && e.origin.clientSeq === clientSeq);
  }

  /** Waits for an envelope, also one that came before. */
  envelope(matches: (envelope: ActionEnvelope) => boolean): Promise<ActionEnvelope> {
    return this.#nthEnvelope(matches, 1, 'an envelope');
  }

  /** Waits for an action of a type on a channel; `count` waits for that many. */
  async action<T extends StateAction['type']>(
    channel: string,
    type: T,
    count = 1,
  ): Promise<Extract<StateAction, { type: T }>> {
    const matches = (envelope: ActionEnvelope) => envelope.channel === channel && envelope.action.type === type;
    const { action } = await this.#nthEnvelope(matches, count, `${type} on ${channel}`);
    return action as Extract<StateAction, { type: T }>;
  }

  /** Looks at each envelope once: streams are long. */
  #nthEnvelope(matches: (envelope: ActionEnvelope) => boolean, count: number, what: string): Promise<ActionEnvelope> {
    let left = count;
    let next = 0;
    const find = () => {
      while (next < this.envelopes.length) {
        const envelope = this.envelopes[next++];
        if (envelope && matches(envelope) && --left === 0) return envelope;
      }
      return undefined;
    };
    return this.until(find, what);
  }

  notification<M extends keyof ServerNotificationMap>(
    method: M,
    matches: (params: ServerNotificationMap[M]['params']) => boolean = () => true,
  ): Promise<ServerNotificationMap[M]['params']> {
    type Params = ServerNotificationMap[M]['params'];
    const find = () =>
      this.notifications.find((n) => n.method === method && matches(n.params as Params))?.params as Params;
    return this.until(find, method);
  }

  actionsOn(channel: string): StateAction[] {
    return this.envelopes.filter((e) => e.channel === channel && !e.rejectionReason).map((e) => e.action);
  }

  /** Closes, and fails when the host ever sent something that the protocol does not allow. */
  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
    if (this.violations.length > 0) throw new Error(`the host broke the wire:\n${this.violations.join('\n')}`);
  }

  #receive(method: string, params: unknown): void {
    const row = notificationRow(method);
    const isOfServer = isSideChannel(params) && method.startsWith('notifications/'); // MCP's own, as it is
    if (!row && !isOfServer) this.violations.push(`unknown notification ${method}`);
    const problem = row && this.#check(method, row.params, params);
    if (problem) this.violations.push(`${method}${problem}`);
    this.received.push(method === 'action' ? (params as ActionEnvelope).action.type : method);
    if (method === 'action') this.envelopes.push(params as ActionEnvelope);
    else this.notifications.push({ method, params });
    this.#wake();
  }

  /** A rejected action may be anything the client sent; all else must be strictly valid. */
  #check(method: string, schema: Parameters<typeof strict>[0], params: unknown): string | undefined {
    const rejected = method === 'action' && (params as ActionEnvelope).rejectionReason !== undefined;
    const known = method !== 'action' || actionRow((params as ActionEnvelope).action.type);
    const problem = rejected || !known ? lenient(schema).explain(params) : strict(schema).explain(params);
    if (rejected) return undefined;
    return problem && `${problem.path}: expected ${problem.expected} in ${JSON.stringify(params).slice(0, 300)}`;
  }

  /** Waits until `find` finds something; it is asked again whenever something arrives. */
  until<T>(find: () => T | undefined, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), WAIT_MS);
      const look = () => {
        const found = find();
        if (found === undefined) {
          if (this.peer.closed) finish(() => reject(new Error(`the connection closed before ${what} came`)));
          else this.#changed.push(look);
          return;
        }
        finish(() => resolve(found));
      };
      const finish = (settle: () => void) => {
        clearTimeout(limit);
        settle();
      };
      look();
    });
  }

  #wake(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const look of waiting) look();
  }
}

function isSideChannel(params: unknown): boolean {
  const { channel } = (params ?? {}) as { channel?: unknown };
  return typeof channel === 'string' && channel.startsWith('mcp://');
}

/** Generous: a machine under load is no failure. Real agents take longer still. */
const WAIT_MS = Number(process.env.TEST_WAIT_MS ?? 30_000);

/** The serverSeq that an answer brings the client up to; 0 when it says none. */
function seqIn(result: unknown): number {
  const { serverSeq, snapshot, snapshots, actions } = (result ?? {}) as {
    serverSeq?: number;
    snapshot?: Snapshot;
    snapshots?: Snapshot[];
    actions?: ActionEnvelope[];
  };
  return serverSeq ?? snapshot?.fromSeq ?? snapshots?.[0]?.fromSeq ?? actions?.at(-1)?.serverSeq ?? 0;
}
