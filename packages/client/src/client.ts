/// <reference lib="esnext.disposable" preserve="true" />
import type { ActionEnvelope, ChannelKind, ServerNotificationMap, StateAction, SubscribeView } from '@moorage/protocol';
import type { Mirror } from './channels/mirror.js';
import type { StatelessChannel } from './channels/stateless.js';
import type { ChatMirror } from './chat/chat-mirror.js';
import type { Timeout } from './connection/caller.js';
import type { ConnectionStatus } from './connection/machine.js';
import type { WatchSource } from './published-watches.js';
import type { ReverseHandler, ReverseRequest } from './reverse-requests.js';
import type { SessionList, SessionListOptions } from './sessions/session-list.js';
import type { ClientRequest, RequestParams, RequestResult } from './wire/params.js';
import type { HostInfo } from './wire/read-handshake.js';

/** Options of one request. */
export interface RequestOptions {
  /** Instead of the client's `requestTimeoutMs`. */
  readonly timeoutMs?: Timeout | undefined;
  /**
   * Stops waiting: the promise rejects with the signal's reason. A request that waits for a connection is not sent; one
   * that was sent goes on at the host, and its answer is ignored.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Options of one subscription. */
export interface SubscribeOptions<K extends ChannelKind> {
  /** The kind of channel, where its URI does not tell. */
  readonly kind?: K;
  /** How much of its state is wanted; default: all. What the first subscription of a channel says counts for them all. */
  readonly view?: SubscribeView | undefined;
}

type RequestArgs<M extends ClientRequest> =
  object extends RequestParams<M>
    ? [params?: RequestParams<M>, options?: RequestOptions]
    : [params: RequestParams<M>, options?: RequestOptions];

/** A connection to one host, which comes back by itself. Functions that add a listener return one that removes it. */
export interface Client {
  /** The name of this client; the host tells others apart by it. */
  readonly clientId: string;
  /** The version that the host chose. */
  readonly protocolVersion: string;
  /** What the host said about itself. */
  readonly hostInfo: HostInfo;
  /** Everything for our subscriptions up to this number has arrived. */
  readonly serverSeq: number;
  /** How the connection is. */
  readonly status: ConnectionStatus;
  /**
   * Listens to the status; the error is why the connection was lost or why the client closed by itself. After a reconnect notifications may
   * have been missed: ask `listSessions` again, and authenticate again (B-80).
   */
  onStatus(listener: (status: ConnectionStatus, error: Error | undefined) => void): () => void;

  /**
   * Asks the host. Rejects with the host's `RpcError`, or with a `RequestError`. While the client reconnects, requests
   * wait; a request that was under way when the connection was lost is not repeated.
   */
  request<M extends ClientRequest>(method: M, ...args: RequestArgs<M>): Promise<RequestResult<M>>;

  /** A mirror of a channel. Its URI tells which kind it is; where it does not, say it with `kind`. */
  subscribe<K extends ChannelKind>(uri: string, options?: SubscribeOptions<K>): Promise<Mirror<K>>;
  /** The mirror of the root channel: agents, settings and terminals of the host. */
  root(): Promise<Mirror<'root'>>;
  /** The mirror of a session. */
  session(uri: string): Promise<Mirror<'session'>>;
  /** With a view, only the latest turns; `loadEarlierTurns` brings those before. */
  chat(uri: string, view?: SubscribeView): Promise<ChatMirror>;
  /** The mirror of a terminal. */
  terminal(uri: string): Promise<Mirror<'terminal'>>;
  /** The mirror of a changeset. */
  changeset(uri: string): Promise<Mirror<'changeset'>>;
  /** The mirror of the annotations of a session. */
  annotations(uri: string): Promise<Mirror<'annotations'>>;
  /** The mirror of a watch, which reports changes of files by `onAction`. */
  resourceWatch(uri: string): Promise<Mirror<'resourceWatch'>>;
  /** A live list of the host's sessions; resolves once the first page is there. */
  sessions(options?: SessionListOptions): Promise<SessionList>;
  /** A subscription to a channel that has no state: telemetry, or the side channel of an MCP server. */
  subscribeStateless(uri: string): Promise<StatelessChannel>;

  /**
   * Dispatches an action. On a channel that has a mirror this is the mirror's `dispatch`. On another one no echo will
   * come: it resolves with undefined once the action is sent, and a rejection shows only in `on('action')`.
   */
  dispatch(uri: string, action: StateAction): Promise<ActionEnvelope | undefined>;

  /** Listens to a notification of the host; to `action` for every envelope that arrives, of all channels. */
  on<M extends keyof ServerNotificationMap>(
    method: M,
    listener: (params: ServerNotificationMap[M]['params']) => void,
  ): () => void;

  /** Answers a request that a host may make of a client; a method has one handler at a time. */
  handle<M extends ReverseRequest>(method: M, handler: ReverseHandler<M>): () => void;

  /** Watches what this client publishes when the host asks for it. Watches end with the connection they were made on. */
  serveWatches(source: WatchSource): () => void;

  /** Ends the connection for good. What is not answered yet is rejected; mirrors keep their last state. */
  close(): void;
  /** As `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
