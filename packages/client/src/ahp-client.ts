import {
  type ActionEnvelope,
  type ChannelKind,
  ROOT_URI,
  requestResults,
  type ServerNotificationMap,
  type StateAction,
  type SubscribeView,
  type Transport,
} from '@moorage/protocol';
import { abortable } from './abort.js';
import { assemble, type Parts } from './assemble.js';
import { stateKindOf } from './channel-kind.js';
import type { Channel } from './channels/channel.js';
import { ChannelMirror, type Mirror } from './channels/mirror.js';
import type { StatelessChannel } from './channels/stateless.js';
import { ChatChannelMirror, type ChatMirror } from './chat/chat-mirror.js';
import type { Client, RequestOptions, SubscribeOptions } from './client.js';
import type { ConnectionStatus } from './connection/machine.js';
import { ConnectError, NotDeliveredError, ProtocolError, RequestError } from './errors.js';
import { Listeners } from './listeners.js';
import { type ConnectOptions, type Settings, settingsOf } from './options.js';
import type { WatchSource } from './published-watches.js';
import type { ReverseHandler, ReverseRequest } from './reverse-requests.js';
import { openSessionList, type SessionList, type SessionListOptions } from './sessions/session-list.js';
import { encodeDispatch } from './wire/encode-dispatch.js';
import { type ClientRequest, type RequestResult, withChannel } from './wire/params.js';
import { read } from './wire/read.js';
import type { HostInfo } from './wire/read-handshake.js';

/** Settles once the host has accepted the client, or will not. How a URL is opened differs between Node and browsers. */
export async function createClient(
  options: ConnectOptions,
  openUrl: (url: string, token: string | undefined) => Promise<Transport>,
): Promise<Client> {
  const open = 'transport' in options ? options.transport : () => openUrl(options.url, options.token);
  const client = new AhpClient(settingsOf(options), open);
  await abortable(client.ready, options.signal, () => client.close());
  return client;
}

class AhpClient implements Client {
  readonly clientId: string;
  readonly ready: Promise<void>;
  readonly #settings: Settings;
  readonly #parts: Parts;
  readonly #statusListeners: Listeners<[ConnectionStatus, Error | undefined]>;

  constructor(settings: Settings, open: () => Promise<Transport> | Transport) {
    this.clientId = settings.clientId;
    this.#settings = settings;
    this.#statusListeners = new Listeners(settings.report);
    let settle: { resolve(): void; reject(error: Error): void } = { resolve() {}, reject() {} };
    this.ready = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.#parts = assemble(settings, open, {
      onLive: () => settle.resolve(),
      onClosed: (error) => settle.reject(asConnectError(error)),
      onStatusChanged: (error) => this.#statusListeners.emit(this.status, error),
    });
    this.#parts.connection.start();
  }

  get protocolVersion(): string {
    return this.hostInfo.protocolVersion;
  }

  get hostInfo(): HostInfo {
    return this.#parts.handshake.hostInfo;
  }

  get serverSeq(): number {
    return this.#parts.lastSeen.seq;
  }

  get status(): ConnectionStatus {
    return this.#parts.connection.status;
  }

  onStatus(listener: (status: ConnectionStatus, error: Error | undefined) => void): () => void {
    return this.#statusListeners.add(listener);
  }

  async request<M extends ClientRequest>(
    method: M,
    params: object = {},
    { timeoutMs, signal }: RequestOptions = {},
  ): Promise<RequestResult<M>> {
    const result = await this.#parts.caller.request(method, withChannel(params), timeoutMs, signal);
    try {
      return read(`${method} result`, requestResults[method], result) as RequestResult<M>;
    } catch (error) {
      if (error instanceof ProtocolError) throw new RequestError('invalid', method, error.message, error);
      throw error;
    }
  }

  async subscribe<K extends ChannelKind>(uri: string, options: SubscribeOptions<K> = {}): Promise<Mirror<K>> {
    const mirror: unknown = await this.#mirror(ChannelMirror, uri, options);
    return mirror as Mirror<K>; // of the kind that the URI tells or the caller says
  }

  chat(uri: string, view?: SubscribeView): Promise<ChatMirror> {
    return this.#mirror(ChatChannelMirror, uri, { kind: 'chat', view });
  }

  root = () => this.subscribe(ROOT_URI, { kind: 'root' });
  session = (uri: string) => this.subscribe(uri, { kind: 'session' });
  terminal = (uri: string) => this.subscribe(uri, { kind: 'terminal' });
  changeset = (uri: string) => this.subscribe(uri, { kind: 'changeset' });
  annotations = (uri: string) => this.subscribe(uri, { kind: 'annotations' });
  resourceWatch = (uri: string) => this.subscribe(uri, { kind: 'resourceWatch' });

  subscribeStateless(uri: string): Promise<StatelessChannel> {
    return this.#parts.stateless.subscribe(uri);
  }

  dispatch(uri: string, action: StateAction): Promise<ActionEnvelope | undefined> {
    const { channels, context } = this.#parts;
    const channel = channels.channel(uri);
    if (channel) return channel.dispatch(action);
    const frame = encodeDispatch({ channel: uri, clientSeq: context.nextClientSeq(), action });
    const promise = new Promise<undefined>((resolve, reject) => {
      context.dispatch(frame, {
        onSend() {
          resolve(undefined);
          return true;
        },
        onFail: (why) => reject(new NotDeliveredError(why, action, false)),
      });
    });
    promise.catch(() => {}); // as with a mirror's dispatch, nobody need look at it
    return promise;
  }

  on<M extends keyof ServerNotificationMap>(
    method: M,
    listener: (params: ServerNotificationMap[M]['params']) => void,
  ): () => void {
    return this.#parts.notifications.on(method, listener);
  }

  handle<M extends ReverseRequest>(method: M, handler: ReverseHandler<M>): () => void {
    return this.#parts.reverseRequests.handle(method, handler);
  }

  serveWatches(source: WatchSource): () => void {
    const { reverseRequests, watches } = this.#parts;
    const unhandle = reverseRequests.handle('createResourceWatch', (params) => watches.create(params));
    const unserve = watches.serve(source);
    return () => {
      unhandle();
      unserve();
    };
  }

  sessions(options: SessionListOptions = {}): Promise<SessionList> {
    return openSessionList(this, options, this.#settings.report);
  }

  close(): void {
    this.#parts.connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  async #mirror<K extends ChannelKind, M>(
    MirrorOf: new (channel: Channel<K>, onRelease: () => void, onThrow: (error: unknown) => void) => M,
    uri: string,
    { kind, view }: SubscribeOptions<K>,
  ): Promise<M> {
    const { channels } = this.#parts;
    const channel = await channels.hold(uri, stateKindOf(uri, kind), view);
    const release = () => channels.release(channel);
    return new MirrorOf(channel as unknown as Channel<K>, release, this.#settings.report);
  }
}

function asConnectError(error: Error | undefined): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error === undefined) return new ConnectError('closed', 'the client was closed');
  return new ConnectError('handshake', `the handshake failed: ${error.message}`, { cause: error });
}
