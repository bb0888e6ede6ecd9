import type { ActionEnvelope, ChannelKind, ServerNotificationMap, StateAction } from '@ahpd/protocol';
import type { Mirror } from './channels/mirror.js';
import type { StatelessChannel } from './channels/stateless.js';
import type { Timeout } from './connection/caller.js';
import type { ConnectionStatus } from './connection/machine.js';
import type { WatchSource } from './published-watches.js';
import type { ReverseHandler, ReverseRequest } from './reverse-requests.js';
import type { ClientRequest, RequestParams, RequestResult } from './wire/params.js';
import type { HostInfo } from './wire/read-handshake.js';

/** For one request. */
export interface RequestOptions {
  /** Instead of the client's `requestTimeoutMs`. */
  readonly timeoutMs?: Timeout;
}

type RequestArgs<M extends ClientRequest> =
  object extends RequestParams<M>
    ? [params?: RequestParams<M>, options?: RequestOptions]
    : [params: RequestParams<M>, options?: RequestOptions];

/** A connection to one host, which comes back by itself. Functions that add a listener give one that takes it off. */
export interface Client {
  readonly clientId: string;
  /** The version that the host chose. */
  readonly protocolVersion: string;
  readonly hostInfo: HostInfo;
  /** Up to here everything for our subscriptions has arrived. */
  readonly serverSeq: number;
  readonly status: ConnectionStatus;
  /**
   * The error is why the connection was lost, or why the client closed by itself. After a reconnect notifications may
   * have been missed: ask `listSessions` again, and authenticate again (B-80).
   */
  onStatus(listener: (status: ConnectionStatus, error: Error | undefined) => void): () => void;

  /**
   * Asks the host. Rejects with the host's `RpcError`, or with a `RequestError`. While the client reconnects, requests
   * wait; a request that was under way when the connection was lost is not repeated.
   */
  request<M extends ClientRequest>(method: M, ...args: RequestArgs<M>): Promise<RequestResult<M>>;

  /** A mirror of a channel. The URI tells its kind; for one with a foreign form, `kind` has to. */
  subscribe<K extends ChannelKind>(uri: string, options?: { readonly kind?: K }): Promise<Mirror<K>>;
  root(): Promise<Mirror<'root'>>;
  session(uri: string): Promise<Mirror<'session'>>;
  chat(uri: string): Promise<Mirror<'chat'>>;
  terminal(uri: string): Promise<Mirror<'terminal'>>;
  changeset(uri: string): Promise<Mirror<'changeset'>>;
  annotations(uri: string): Promise<Mirror<'annotations'>>;
  resourceWatch(uri: string): Promise<Mirror<'resourceWatch'>>;
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

  /** Answers what the host may ask of a client; a method has one handler. */
  handle<M extends ReverseRequest>(method: M, handler: ReverseHandler<M>): () => void;

  /** Keeps watches for the host on what this client publishes; those of a lost connection are stopped. */
  serveWatches(source: WatchSource): () => void;

  /** Ends the connection for good. What is not answered yet is rejected; mirrors keep their last state. */
  close(): void;
}
