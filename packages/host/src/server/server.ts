import {
  AhpErrorCodes,
  type CommandMap,
  isObject,
  JsonRpcErrorCodes,
  kindOfUri,
  RpcError,
  type RpcParams,
  requestRow,
  type URI,
} from '@ahpd/protocol';
import { EncodedJson } from '@ahpd/protocol/internal';
import type { WireObject } from '@ahpd/protocol/versions';
import { invalidRequest, methodNotFound } from '../core/errors.js';
import type { Handlers } from '../core/handler.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { type Store, StoreError } from '../ports/store.js';
import type { Telemetry } from '../ports/telemetry.js';
import type { Incoming } from '../ports/transport.js';
import { Connection, type ConnectionHandler } from './connection.js';
import { Connections } from './connections.js';
import { HostDirectory } from './dialects/directory.js';
import { EchoMemory } from './dialects/echo-memory.js';
import { showsApps, Views } from './dialects/views.js';
import { DispatchMemory } from './dispatch-memory.js';
import { Dispatcher, type DispatcherOptions } from './dispatcher.js';
import { type HandshakeWords, handshakeHandlers } from './handshake.js';
import { withAliases } from './param-aliases.js';
import { checkedParams } from './request-params.js';
import { statelessChannels } from './stateless-channels.js';
import { type Prepare, subscribing } from './subscribe.js';
import { timed } from './timed.js';

export interface ServerOptions extends Omit<DispatcherOptions, 'directory' | 'dispatches' | 'echoes'>, HandshakeWords {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Who answers which request; the handshake and subscriptions are the server's own. */
  readonly handlers: Handlers<Connection>;
  readonly prepare: Prepare;
  /** A client tells of a change on a channel that it made for the host; nothing of it is checked yet. */
  readonly onClientAction: (connection: Connection, params: RpcParams | undefined) => void;
  /** What is said on an `mcp://` channel; only clients that can show Apps get that far. */
  readonly sideChannels: SideChannelHandler;
  readonly telemetry: Telemetry;
  /** Throws for a URI that is not one of the offered ones. Undefined in a host that tells nothing of itself. */
  readonly assertTelemetry: ((uri: URI) => void) | undefined;
}

/** The channels on which clients talk to MCP servers. */
interface SideChannelHandler {
  has(uri: URI): boolean;
  request(uri: URI, method: string, params: WireObject): Promise<unknown>;
  notification(uri: URI, method: string, params: WireObject): void;
}

/** The way from what a client sends to who answers it. */
export class Server {
  readonly connections = new Connections();
  readonly #options: ServerOptions;
  readonly #directory: HostDirectory;
  /** One for all connections: there may be thousands. */
  readonly #heard: ConnectionHandler = {
    request: (connection, method, params) =>
      timed(this.#options.telemetry, method, () => this.#request(connection, method, params)),
    notification: (connection, method, params) => this.#notification(connection, method, params),
    closed: (connection) => {
      this.#options.door.subscriptions.removeSubscriber(connection);
      this.connections.ended(connection);
    },
    failed: (error, method) => this.#options.log.write('error', 'a request failed', { method, error: String(error) }),
  };
  readonly #dispatcher: Dispatcher;
  readonly #handlers: Handlers<Connection>;
  readonly #unsubscribe: (uri: URI, connection: Connection) => void;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { door, clock, store, sideChannels, assertTelemetry } = options;
    const directory = new HostDirectory(door, store, options.defaultDirectory);
    const echoes = new EchoMemory();
    const dispatches = new DispatchMemory();
    this.#directory = directory;
    const views = new Views({ door, clock, directory, echoes });
    this.#dispatcher = new Dispatcher({ ...options, directory, dispatches, echoes });
    const stateless = statelessChannels({ subscriptions: door.subscriptions, sideChannels, assertTelemetry });
    const claim = (connection: Connection) => {
      this.connections.claim(connection);
      connection.see(views.of(connection));
    };
    const startAnew = (clientId: string) => {
      dispatches.forget(clientId);
      echoes.forget(clientId);
    };
    const { subscribe, unsubscribe } = subscribing(stateless, options.prepare);
    this.#unsubscribe = unsubscribe;
    this.#handlers = {
      ...options.handlers,
      ...handshakeHandlers({ ...options, stateless, claim, startAnew }),
      subscribe,
    };
    door.onLost((lost) => {
      for (const { origin } of lost) if (origin) dispatches.remove(origin.clientId, origin.clientSeq);
    });
  }

  accept(incoming: Incoming): void {
    this.connections.add(new Connection(incoming, this.#heard, this.#options.clock));
  }

  #request(connection: Connection, method: string, params: RpcParams | undefined): unknown {
    const side = sideChannelOf(method, params);
    if (side && connection.profile) return this.#sideRequest(connection, method, side);
    const { down } = connection.dialect;
    if (!down) return this.#answer(connection, method, params);
    const told = (result: unknown) =>
      ANSWERED_IN_DIALECT.has(method) ? result : down.result(method, plain(result), this.#directory);
    const failed = (error: unknown): never => {
      if (!(error instanceof RpcError)) throw error;
      const { code, message, data } = down.error(error, method);
      throw new RpcError(code, message, { data, cause: error });
    };
    try {
      const answer = this.#answer(connection, method, params);
      return answer instanceof Promise ? answer.then(told).catch(failed) : told(answer);
    } catch (error) {
      return failed(error);
    }
  }

  /** The channel decides before the method does: what is served there is not the host's (OQ-74). */
  #sideRequest(connection: Connection, method: string, params: SideParams): Promise<unknown> {
    if (!showsApps(connection)) throw methodNotFound(method);
    return this.#options.sideChannels.request(params.channel, method, params);
  }

  /** Answers a request in our own version; parameters of others are translated first. */
  #answer(connection: Connection, method: string, params: RpcParams | undefined): unknown {
    const row = requestRow(method);
    const handler = this.#handlers[method as keyof CommandMap];
    if (!connection.profile && !BEFORE_HANDSHAKE.has(method)) throw invalidRequest('send "initialize" first');
    const given = params === undefined || isObject(params) ? this.#native(connection, method, params ?? {}) : params;
    if (!row || !handler || row.direction === 'hostToClient' || !given) throw methodNotFound(method);
    const valid = checkedParams(row, withAliases(method, given as RpcParams));
    // What others decided comes first: an answer shows nothing that could be undone, and a failure is told to its cause.
    this.#options.door.settle();
    const answer = telling(() => handler(valid as never, connection));
    if (!(answer instanceof Promise)) return this.#flushed(answer);
    return answer.catch(tell).then((result) => this.#flushed(result));
  }

  #native(connection: Connection, method: string, params: WireObject): WireObject | undefined {
    if (!connection.profile) connection.namesChannels = params.channel !== undefined;
    const native = connection.dialect.up.request(method, params, this.#directory);
    if (method === 'createSession' && native) this.#assertNoAlias(native.channel);
    if (method !== 'initialize' || !native || native.protocolVersion === undefined) return native;
    return { protocolVersions: [], ...native };
  }

  /** A session must not hide another one that goes by the same name in an earlier version. */
  #assertNoAlias(uri: unknown): void {
    if (typeof uri !== 'string' || this.#directory.resolve(uri) === uri) return;
    throw new RpcError(AhpErrorCodes.SessionAlreadyExists, `session ${uri} exists already`);
  }

  /** What a request decided is stored before it is answered. */
  #flushed<T>(result: T): T {
    telling(() => this.#options.door.flush());
    return result;
  }

  #notification(connection: Connection, method: string, params: RpcParams | undefined): void {
    if (!connection.profile) return; // nobody has said yet who this is (OQ-9)
    const side = sideChannelOf(method, params);
    if (side) {
      if (showsApps(connection)) this.#options.sideChannels.notification(side.channel, method, side);
      return;
    }
    if (method === 'unsubscribe') {
      const { channel, resource = channel } = (isObject(params) ? params : {}) as {
        channel?: unknown;
        resource?: unknown;
      };
      if (typeof resource === 'string') this.#unsubscribe(resource, connection);
    }
    if (method === 'dispatchAction') this.#dispatcher.dispatch(connection, params);
    if (method === 'action') this.#options.onClientAction(connection, params); // of a channel that the client made (OQ-15)
  }
}

type SideParams = WireObject & { readonly channel: URI };

/** What is said on a side channel; subscribing to one is the host's business. */
function sideChannelOf(method: string, params: RpcParams | undefined): SideParams | undefined {
  if (method === 'subscribe' || method === 'unsubscribe' || !isObject(params)) return undefined;
  const { channel } = params as WireObject;
  return typeof channel === 'string' && kindOfUri(channel) === 'mcp' ? { ...params, channel } : undefined;
}

/** Their answers are snapshots and envelopes, which the client's view made. */
const ANSWERED_IN_DIALECT: ReadonlySet<string> = new Set(['initialize', 'reconnect', 'subscribe']);

/** An answer that is JSON text already, as the value that it stands for. */
function plain(result: unknown): unknown {
  return result instanceof EncodedJson ? JSON.parse(result.text) : result;
}

const BEFORE_HANDSHAKE: ReadonlySet<string> = new Set(['ping', 'initialize', 'reconnect']);

/** Runs what may meet a failure of the store, and tells it the way that a client is told. */
function telling<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    return tell(error);
  }
}

/** What the store says of its failures is written for people; the client that is refused because of one is told. */
function tell(error: unknown): never {
  if (error instanceof StoreError) throw new RpcError(JsonRpcErrorCodes.InternalError, error.message, { cause: error });
  throw error;
}
