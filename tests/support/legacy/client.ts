import { type ChannelKind, createPeer, type Peer, type Transport } from '@moorage/protocol';
import { type Dialect, dialectOf } from '@moorage/protocol/versions';
import { WebSocket } from 'ws';
import { shapeProblem } from '../../../packages/protocol/test/support/shapes.js';
import { comparableLegacy } from '../../../packages/protocol/test/support/versions/comparable.js';
import { reduceLegacy } from '../../../packages/protocol/test/support/versions/reduce.js';
import { socketTransport } from '../socket-transport.js';
import type { TestHost } from '../test-host.js';

export type Version =
  | 1
  | '0.1.0'
  | '0.2.0'
  | '0.3.0'
  | '0.4.0'
  | '0.5.0'
  | '0.5.1'
  | '0.5.2'
  | '0.6.0'
  | '0.7.0'
  | '0.9.0'
  | '1.0.0';
type Wire = Record<string, unknown>;

interface Fold {
  readonly kind: ChannelKind;
  state: Wire;
}

export interface Envelope {
  readonly channel: string;
  readonly action: Wire & { type: string };
  readonly serverSeq: number;
  readonly origin?: { clientId: string; clientSeq: number };
  readonly rejectionReason?: string;
}

let clients = 0;

/**
 * A client that knows one version of the wire and nothing else: it shakes hands as that version does, keeps the state
 * of what it follows with that version's reducers, and notes what breaks the rules of that version.
 */
export class LegacyClient {
  readonly version: Version;
  readonly clientId: string;
  readonly dialect: Dialect;
  readonly envelopes: Envelope[] = [];
  readonly notifications: { method: string; params: Wire }[] = [];
  readonly violations: string[] = [];
  /** Set for one that sends nonsense: it may have subscribed to anything by that. */
  asksForAnything = false;
  readonly folds = new Map<string, Fold>();
  readonly #early: { channel: string; serverSeq: number; action: Wire & { type: string } }[] = [];
  readonly peer: Peer;
  /** Set when it came over a socket. */
  socket: WebSocket | undefined;
  readonly closed: Promise<{ code: number }>;
  #clientSeq: number;
  #lastSeq = 0;
  #waiting: (() => void)[] = [];

  static async connect(host: TestHost, version: Version, options: { subscribe?: string[]; clientId?: string } = {}) {
    const client = await LegacyClient.open(host, version, options.clientId);
    await client.initialize(options.subscribe);
    return client;
  }

  /** Connects without the handshake. */
  static async open(host: TestHost, version: Version, clientId?: string, clientSeq = 0): Promise<LegacyClient> {
    const socket = new WebSocket(host.url, { headers: { Authorization: `Bearer ${host.token}` } });
    const id = clientId ?? `client-of-${version}-${++clients}`;
    const client = new LegacyClient(socketTransport(socket), version, id, clientSeq);
    client.socket = socket;
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    return client;
  }

  /** A connection over any transport, before the handshake. */
  constructor(transport: Transport, version: Version, clientId: string, clientSeq = 0) {
    this.version = version;
    this.clientId = clientId;
    this.#clientSeq = clientSeq;
    const dialect = dialectOf(version);
    if (!dialect) throw new Error(`${version} is not spoken`);
    this.dialect = dialect;
    let onClosed = (_info: { code: number }) => {};
    this.closed = new Promise((resolve) => {
      onClosed = resolve;
    });
    this.peer = createPeer(transport, {
      onRequest: () => {
        throw new Error('this client answers nothing');
      },
      onNotification: (method, params) => this.#receive(method, params as Wire),
      onClose: ({ code = 1005 }) => onClosed({ code }),
    });
  }

  /** Whether the version is one in which actions name what they are about. */
  get isEarly(): boolean {
    return this.version === 1 || this.version === '0.1.0';
  }

  /** Whether the version knows no chats. */
  get mergesChats(): boolean {
    return this.dialect.down?.mergesChats ?? false;
  }

  /** Whether the version is this one or came after it. */
  since(version: Exclude<Version, 1>): boolean {
    return this.version !== 1 && this.version.localeCompare(version) >= 0;
  }

  get root(): string {
    return this.isEarly ? 'agenthost:/root' : 'ahp-root://';
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get clientSeq(): number {
    return this.#clientSeq;
  }

  async initialize(initialSubscriptions: string[] = []): Promise<Wire> {
    const versions = this.version === 1 ? { protocolVersion: 1 } : { protocolVersions: [this.version] };
    const channel = this.isEarly ? {} : { channel: this.root };
    const params = { ...channel, ...versions, clientId: this.clientId, initialSubscriptions };
    const result = (await this.peer.request('initialize', params)) as Wire;
    this.#lastSeq = result.serverSeq as number;
    this.#take(result.snapshots as Wire[]);
    return result;
  }

  async reconnect(subscriptions: string[], lastSeenServerSeq: number): Promise<Wire> {
    const channel = this.isEarly ? {} : { channel: this.root };
    const params = { ...channel, clientId: this.clientId, lastSeenServerSeq, subscriptions };
    const result = (await this.peer.request('reconnect', params)) as Wire;
    if (result.type === 'snapshot') this.#take(result.snapshots as Wire[]);
    else for (const envelope of result.actions as Wire[]) this.#receive('action', envelope);
    return result;
  }

  async request(method: string, params: Wire = {}): Promise<Wire> {
    const channel = this.isEarly ? {} : { channel: this.root };
    const result = (await this.peer.request(method, { ...channel, ...params })) as Wire;
    if (result !== null) this.#note(shapeProblem(this.version, resultType(method), result));
    return result;
  }

  async refused(method: string, params: Wire): Promise<{ code: number; message: string; data?: unknown }> {
    try {
      await this.request(method, params);
    } catch (error) {
      if (error instanceof Error && 'code' in error) return error as unknown as { code: number; message: string };
      throw error;
    }
    throw new Error(`${method} was answered`);
  }

  async attach(uri: string): Promise<Wire> {
    const result = await this.request('subscribe', this.isEarly ? { resource: uri } : { channel: uri });
    this.#take([result.snapshot as Wire]);
    return (result.snapshot as { state: Wire }).state;
  }

  state(uri: string): Wire {
    const fold = this.folds.get(uri);
    if (!fold) throw new Error(`${uri} is not followed`);
    return fold.state;
  }

  dispatch(channel: string, action: Wire): number {
    const clientSeq = ++this.#clientSeq;
    const named = String(action.type).startsWith('terminal/') ? { terminal: channel } : { session: channel };
    const isRoot = String(action.type).startsWith('root/');
    const params = this.isEarly
      ? { clientSeq, action: isRoot ? action : { ...action, ...named } }
      : { channel, clientSeq, action };
    this.peer.notify('dispatchAction', params);
    return clientSeq;
  }

  /** Dispatches and waits for the echo or the rejection. */
  act(channel: string, action: Wire): Promise<Envelope> {
    const clientSeq = this.dispatch(channel, action);
    return this.envelope((e) => e.origin?.clientId === this.clientId && e.origin.clientSeq === clientSeq);
  }

  envelope(matches: (envelope: Envelope) => boolean): Promise<Envelope> {
    return this.until(() => this.envelopes.find(matches), 'an envelope');
  }

  /** Waits until everything that the host has decided so far for this client has arrived. */
  async sync(): Promise<void> {
    await this.request('ping');
  }

  until<T>(find: () => T | undefined, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(`${this.version} waited in vain for ${what}`)), 30_000);
      const look = () => {
        const found = find();
        if (found === undefined) {
          this.#waiting.push(look);
          return;
        }
        clearTimeout(limit);
        resolve(found);
      };
      look();
    });
  }

  comparable(uri: string): unknown {
    const fold = this.folds.get(uri);
    if (!fold) return undefined;
    const comparable = comparableLegacy(this.dialect.name, fold.kind, fold.state) as Wire;
    return fold.kind === 'session' && !this.mergesChats ? withoutAggregates(comparable) : comparable;
  }

  /** Closes, and fails when the host ever sent what this version does not allow. */
  async close(): Promise<void> {
    this.peer.close();
    await this.closed;
    for (const { action, channel } of this.asksForAnything ? [] : this.#early)
      this.violations.push(`${action.type} on ${channel}, which is not followed`);
    if (this.violations.length > 0) throw new Error(`the host broke ${this.version}:\n${this.violations.join('\n')}`);
  }

  #take(snapshots: Wire[]): void {
    for (const snapshot of snapshots) {
      this.#note(shapeProblem(this.version, 'Snapshot', snapshot));
      const state = snapshot.state as Wire;
      const kind = kindOf(state);
      const fold: Fold = { kind, state };
      this.folds.set(String(snapshot.resource), fold);
      // What came right behind the snapshot was heard before whoever waits for the snapshot could take it.
      for (const early of this.#early.filter(({ channel }) => channel === snapshot.resource)) {
        this.#early.splice(this.#early.indexOf(early), 1);
        if (early.serverSeq > Number(snapshot.fromSeq))
          fold.state = reduceLegacy(this.dialect.name, kind, fold.state, early.action);
      }
      this.#lastSeq = Math.max(this.#lastSeq, snapshot.fromSeq as number);
    }
  }

  #receive(method: string, params: Wire): void {
    if (method === 'action') this.#apply(params);
    else {
      this.notifications.push({ method, params });
      this.#note(shapeProblem(this.version, this.#noticeType(method), params));
    }
    for (const look of this.#waiting.splice(0)) look();
  }

  #apply(params: Wire): void {
    const action = params.action as Wire & { type: string };
    const { serverSeq, rejectionReason } = params as unknown as Envelope;
    if (serverSeq <= this.#lastSeq) this.violations.push(`serverSeq ${serverSeq} of ${action.type} came before`);
    this.#lastSeq = serverSeq;
    if (this.isEarly && 'channel' in params) this.violations.push('an envelope with a channel');
    const named = action.session ?? action.terminal ?? this.root;
    const channel = String(this.isEarly ? named : params.channel);
    this.envelopes.push({ ...(params as unknown as Envelope), channel, action });
    if (rejectionReason !== undefined) return;
    const isOwn = (params as unknown as Envelope).origin?.clientId === this.clientId; // in its own words
    const isBeyond = action.type === 'changeset/disposed'; // the guide has it, the types of no version do
    if (!isOwn && !isBeyond) this.#note(shapeProblem(this.version, 'ActionEnvelope', params));
    const fold = this.folds.get(channel);
    if (fold) fold.state = reduceLegacy(this.dialect.name, fold.kind, fold.state, action);
    else this.#early.push({ channel, serverSeq, action });
  }

  #noticeType(method: string): string {
    if (this.isEarly) return 'NotificationMethodParams';
    const [, name = ''] = method.split('/');
    return method === 'auth/required' ? 'AuthRequiredParams' : `${name[0]?.toUpperCase()}${name.slice(1)}Params`;
  }

  #note(problem: string | undefined): void {
    if (problem !== undefined) this.violations.push(problem);
  }
}

/** What a session is at as a whole, and when something last happened in its chats, reaches clients in notifications. */
function withoutAggregates(session: Wire): Wire {
  const holder = (session.summary ?? session) as Wire;
  const { status, activity: _, ...members } = holder;
  const plain = { ...members, status: Number(status) & ~31 };
  const chats = (session.chats as Wire[]).map(({ modifiedAt, ...chat }) => chat);
  return session.summary ? { ...session, summary: plain, chats } : { ...plain, chats };
}

function resultType(method: string): string {
  return `${method[0]?.toUpperCase()}${method.slice(1)}Result`;
}

/** As real clients do: told by what the state has. */
function kindOf(state: Wire): ChannelKind {
  if ('agents' in state) return 'root';
  if ('claim' in state) return 'terminal';
  if ('lifecycle' in state) return 'session';
  return 'turns' in state ? 'chat' : 'changeset';
}
