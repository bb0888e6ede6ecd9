import {
  type ActionEnvelope,
  type ActionOf,
  AhpErrorCodes,
  type ChannelKind,
  type ChannelStates,
  type ChatState,
  createPeer,
  type DispatchActionParams,
  DispatchActionParamsSchema,
  type FetchTurnsParams,
  type Peer,
  RpcError,
  reduce,
  requests,
  type Snapshot,
  type StateAction,
  type SubscribeView,
  strict,
  type Transport,
} from '@moorage/protocol';

export type Decision = 'accept' | 'ignore' | 'defer' | { readonly reject: string };

interface HostChannel {
  readonly kind: ChannelKind;
  state: ChannelStates[ChannelKind];
  readonly history: string[];
}

interface HostConnection {
  readonly peer: Peer;
  readonly subscriptions: Set<string>;
  clientId: string;
  /** Envelopes that are numbered but not sent yet. */
  queue: string[];
}

/** The time at which everything happens here, so that replicas agree on it. */
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const env = { now: () => NOW };

/** A small host that keeps the protocol's rules, except where a test tells it to be unpleasant. */
export class FakeHost {
  serverSeq = 10;
  readonly channels = new Map<string, HostChannel>();
  readonly connections = new Set<HostConnection>();
  log: ActionEnvelope[] = [];
  /** What to make of the next dispatches. */
  decide: (params: DispatchActionParams, clientId: string) => Decision = () => 'accept';
  resumeWith: 'replay' | 'snapshot' | 'error' = 'replay';
  /** Envelopes wait for `flush`, so that answers overtake them. */
  lazy = false;
  /** How often it answered a reconnect in each way, and how many damaged envelopes it sent. */
  readonly resumed = { replay: 0, snapshot: 0 };
  damaged = 0;
  /** Answers a request in place of the host; undefined leaves it to the host. */
  onRequest: (method: string, params: Record<string, unknown>) => unknown = () => undefined;
  /** Every message from a client, in order. */
  readonly heard: { clientId: string; method: string; params: Record<string, unknown> }[] = [];
  readonly accepted = new Set<string>();
  readonly rejected = new Set<string>();
  /** How often each dispatch came, by `clientId#clientSeq`. */
  readonly seen = new Map<string, number>();
  #deferred: { params: DispatchActionParams; clientId: string }[] = [];

  /** Every state each channel ever had, first to last, as text; also of channels that are removed. */
  readonly histories = new Map<string, string[]>();

  add<K extends ChannelKind>(uri: string, kind: K, state: ChannelStates[K]): void {
    const history = [canonical(state)];
    this.channels.set(uri, { kind, state, history });
    this.histories.set(uri, history);
  }

  remove(uri: string): void {
    this.channels.delete(uri);
    for (const { subscriptions } of this.connections) subscriptions.delete(uri);
  }

  state(uri: string): ChannelStates[ChannelKind] | undefined {
    return this.channels.get(uri)?.state;
  }

  connect(transport: Transport): void {
    const connection: HostConnection = {
      subscriptions: new Set(),
      clientId: '',
      queue: [],
      peer: createPeer(transport, {
        onRequest: (method, params) => this.#answer(connection, method, params as Record<string, unknown>),
        onNotification: (method, params) => this.#hear(connection, method, params as Record<string, unknown>),
        onClose: () => this.connections.delete(connection),
      }),
    };
    this.connections.add(connection);
  }

  /** An action of the host's own, or of somebody else. */
  emit<K extends ChannelKind>(
    uri: string,
    action: ActionOf<K>,
    origin?: { clientId: string; clientSeq: number },
  ): void {
    const channel = this.channels.get(uri);
    if (!channel) return;
    this.serverSeq++;
    channel.state = reduce(channel.kind, channel.state, action, env);
    channel.history.push(canonical(channel.state));
    const envelope: ActionEnvelope = { channel: uri, action, serverSeq: this.serverSeq, ...(origin && { origin }) };
    this.log.push(envelope);
    for (const connection of this.connections) {
      if (connection.subscriptions.has(uri)) this.#send(connection, 'action', envelope);
    }
  }

  /** Like `emit`, but the envelope that this client gets is damaged. */
  emitDamaged<K extends ChannelKind>(uri: string, action: ActionOf<K>, clientId: string, damage: object): void {
    const victims = [...this.connections].filter((c) => c.clientId === clientId && c.subscriptions.has(uri));
    for (const victim of victims) victim.subscriptions.delete(uri);
    this.emit(uri, action);
    const envelope = this.log.at(-1);
    for (const victim of victims) {
      victim.subscriptions.add(uri);
      this.damaged++;
      this.#send(victim, 'action', { ...envelope, ...damage });
    }
  }

  notify(method: string, params: object): void {
    for (const connection of this.connections) this.#send(connection, method, params);
  }

  flush(): void {
    for (const connection of this.connections) {
      for (const text of connection.queue) connection.peer.sendRaw(text);
      connection.queue = [];
    }
  }

  /** Accepts what was deferred, in another order than it came. */
  releaseDeferred(): void {
    const deferred = this.#deferred.reverse();
    this.#deferred = [];
    for (const { params, clientId } of deferred) this.#accept(params, clientId);
  }

  /** Forgets all that happened, as a host does that comes back from an old backup, and counts on from a lower number. */
  rollBack(serverSeq: number): void {
    for (const channel of this.channels.values()) {
      channel.state = JSON.parse(channel.history[0] ?? 'null');
      channel.history.push(canonical(channel.state));
    }
    this.serverSeq = serverSeq;
    this.log = [];
    this.#deferred = [];
  }

  #answer(connection: HostConnection, method: string, params: Record<string, unknown>): unknown {
    this.heard.push({ clientId: connection.clientId, method, params });
    const special = this.onRequest(method, params);
    if (special !== undefined) return special;
    switch (method) {
      case 'ping':
        return null;
      case 'initialize': {
        const {
          clientId,
          initialSubscriptions = [],
          protocolVersions,
        } = strict(requests.initialize.params).parse(params);
        connection.clientId = clientId;
        return {
          protocolVersion: protocolVersions[0],
          serverSeq: this.serverSeq,
          snapshots: this.#snapshots(connection, initialSubscriptions),
        };
      }
      case 'reconnect':
        return this.#reconnect(connection, params);
      case 'subscribe': {
        const uri = String(params.channel);
        if (uri.startsWith('ahp-otlp:') || uri.startsWith('mcp:')) {
          connection.subscriptions.add(uri);
          return {};
        }
        const [snapshot] = this.#snapshots(connection, [uri]);
        if (!snapshot) throw new RpcError(AhpErrorCodes.NotFound, `no ${uri}`);
        const { view } = strict(requests.subscribe.params).parse(params);
        return { snapshot: { ...snapshot, state: inView(snapshot.state, view) } };
      }
      case 'fetchTurns':
        this.#showTurns(connection, strict(requests.fetchTurns.params).parse(params));
        return {};
      default:
        throw new RpcError(-32601, 'no such method');
    }
  }

  /** The two turns before those that the cursor counts, for this connection only. */
  #showTurns(connection: HostConnection, { channel, cursor }: FetchTurnsParams): void {
    const end = Number(cursor);
    const start = Math.max(0, end - 2);
    const turns = (this.state(channel) as ChatState).turns.slice(start, end);
    const action = { type: 'chat/turnsLoaded', turns, ...(start > 0 && { turnsNextCursor: String(start) }) };
    this.#send(connection, 'action', { channel, action, serverSeq: this.serverSeq });
  }

  #reconnect(connection: HostConnection, params: Record<string, unknown>): unknown {
    if (this.resumeWith === 'error') throw new RpcError(-32603, 'cannot resume');
    const { clientId, lastSeenServerSeq, subscriptions } = strict(requests.reconnect.params).parse(params);
    connection.clientId = clientId;
    const snapshots = this.#snapshots(connection, subscriptions);
    const type = this.resumeWith === 'snapshot' || lastSeenServerSeq > this.serverSeq ? 'snapshot' : 'replay';
    this.resumed[type]++;
    if (type === 'snapshot') return { type, snapshots };
    const actions = this.log.filter(
      ({ channel, serverSeq }) => serverSeq > lastSeenServerSeq && subscriptions.includes(channel),
    );
    return { type, actions, missing: subscriptions.filter((uri) => !this.channels.has(uri)) };
  }

  #snapshots(connection: HostConnection, uris: readonly string[]): Snapshot[] {
    return uris.flatMap((uri) => {
      const channel = this.channels.get(uri);
      if (!channel) return [];
      connection.subscriptions.add(uri);
      return [{ resource: uri, state: channel.state, fromSeq: this.serverSeq }];
    });
  }

  #hear(connection: HostConnection, method: string, params: Record<string, unknown>): void {
    this.heard.push({ clientId: connection.clientId, method, params });
    if (method === 'unsubscribe') connection.subscriptions.delete(String(params.channel));
    if (method !== 'dispatchAction') return;
    const dispatch = strict(DispatchActionParamsSchema).parse(params);
    const { clientId } = connection;
    const key = `${clientId}#${dispatch.clientSeq}`;
    this.seen.set(key, (this.seen.get(key) ?? 0) + 1);
    const decision = this.channels.has(dispatch.channel) ? this.decide(dispatch, clientId) : 'ignore';
    if (decision === 'accept') this.#accept(dispatch, clientId);
    else if (decision === 'defer') this.#deferred.push({ params: dispatch, clientId });
    else if (decision !== 'ignore') this.#reject(connection, dispatch, decision.reject);
  }

  #accept({ channel, action, clientSeq }: DispatchActionParams, clientId: string): void {
    this.accepted.add(`${clientId}#${clientSeq}`);
    this.emit(channel, action as StateAction, { clientId, clientSeq });
  }

  #reject(connection: HostConnection, { channel, action, clientSeq }: DispatchActionParams, reason: string): void {
    const { clientId } = connection;
    this.rejected.add(`${clientId}#${clientSeq}`);
    this.serverSeq++;
    const origin = { clientId, clientSeq };
    this.#send(connection, 'action', { channel, action, serverSeq: this.serverSeq, origin, rejectionReason: reason });
  }

  #send(connection: HostConnection, method: string, params: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', method, params });
    if (this.lazy) connection.queue.push(text);
    else {
      for (const waiting of connection.queue) connection.peer.sendRaw(waiting);
      connection.queue = [];
      connection.peer.sendRaw(text);
    }
  }
}

/** A chat with its latest turns only, and how many there are before them as the cursor. */
function inView(state: Snapshot['state'], view: SubscribeView | undefined): Snapshot['state'] {
  if (view?.turns === undefined || !('turns' in state)) return state;
  const start = Math.max(0, state.turns.length - view.turns);
  return start === 0 ? state : { ...state, turns: state.turns.slice(start), turnsNextCursor: String(start) };
}

/** The same text for the same value, whatever the order of its members. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
