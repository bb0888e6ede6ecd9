import {
  AhpErrorCodes,
  CloseCodes,
  type CommandMap,
  isMcpUri,
  isObject,
  JsonRpcErrorCodes,
  RpcError,
  type RpcParams,
  requestRow,
  type URI,
} from '@moorage/protocol';
import { EncodedJson } from '@moorage/protocol/internal';
import type { WireObject } from '@moorage/protocol/versions';
import type { Committed } from '../core/committed.js';
import { invalidRequest, methodNotFound, notAllowed } from '../core/errors.js';
import type { Handlers } from '../core/handler.js';
import type { Authorize } from '../ports/authorize.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { grantOf, type People } from '../ports/people.js';
import { type Store, StoreError } from '../ports/store.js';
import type { Telemetry } from '../ports/telemetry.js';
import type { Incoming } from '../ports/transport.js';
import { Connection, type ConnectionHandler } from './connection.js';
import { Connections } from './connections.js';
import { HostDirectory } from './dialects/directory.js';
import { showsApps, Views } from './dialects/views.js';
import { DispatchMemory } from './dispatch-memory.js';
import { Dispatcher, type DispatcherOptions } from './dispatcher.js';
import { type HandshakeSettings, handshakeHandlers } from './handshake.js';
import { KnownClients } from './known-clients.js';
import { checkedParams } from './request-params.js';
import { Spellings } from './spelling/spellings.js';
import { statelessChannels } from './stateless-channels.js';
import { type Prepare, subscribing } from './subscribe.js';
import { timed } from './timed.js';
import { Uninitialized } from './uninitialized.js';

export interface ServerOptions extends Omit<DispatcherOptions, 'directory' | 'dispatches'>, HandshakeSettings {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Decides which requests a client may make. */
  readonly authorize: Authorize;
  /** Whom the host knows besides its owner. */
  readonly people?: People | undefined;
  /** The handlers of all requests except the handshake and `subscribe`, which the server answers itself. */
  readonly handlers: Handlers<Connection>;
  readonly prepare: Prepare;
  /** Loads a long channel without making others wait; undefined when it takes no time. */
  readonly load: Prepare;
  /** A client sent an `action` on a channel that it published to the host; the parameters are unchecked. */
  readonly onClientAction: (connection: Connection, params: RpcParams | undefined) => void;
  /** Receives messages on `mcp://` channels, only from clients that can show MCP Apps. */
  readonly sideChannels: SideChannelHandler;
  readonly telemetry: Telemetry;
  /** Throws an RpcError for a telemetry URI that is not offered. Undefined in a host without telemetry. */
  readonly assertTelemetry: ((uri: URI) => void) | undefined;
}

/** The channels on which clients talk to MCP servers. */
interface SideChannelHandler {
  has(uri: URI): boolean;
  request(uri: URI, method: string, params: WireObject): Promise<unknown>;
  notification(uri: URI, method: string, params: WireObject): void;
}

/** Accepts connections and routes what clients send to the handlers, the dispatcher and the side channels. */
export class Server {
  readonly connections = new Connections();
  readonly #options: ServerOptions;
  readonly #directory: HostDirectory;
  readonly #spellings: Spellings;
  readonly #uninitialized: Uninitialized;
  /** Shared by all connections, of which there may be thousands. */
  readonly #connectionHandler: ConnectionHandler = {
    request: (connection, method, params) => {
      const { telemetry } = this.#options;
      const answer = () => this.#request(connection, method, this.#spellings.inRequest(connection, params));
      return telemetry.isOn ? timed(telemetry, method, answer) : answer();
    },
    notification: (connection, method, params) =>
      this.#notification(connection, method, this.#spellings.inMessage(connection, params)),
    closed: (connection) => {
      this.#uninitialized.remove(connection);
      this.#options.door.subscriptions.removeSubscriber(connection);
      this.connections.ended(connection);
    },
    failed: (error, method) =>
      this.#options.log.write('error', 'request.failed', 'a request failed', { method, error: String(error) }),
  };
  readonly #dispatcher: Dispatcher;
  readonly #dispatches = new DispatchMemory();
  readonly #handlers: Handlers<Connection>;
  readonly #unsubscribe: (uri: URI, connection: Connection) => void;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { door, clock, store, sideChannels, assertTelemetry } = options;
    const directory = new HostDirectory(door, store, options.clock, options.defaultDirectory);
    const dispatches = this.#dispatches;
    this.#directory = directory;
    const clients = new KnownClients(door, store);
    this.#spellings = new Spellings(directory, clients);
    const views = new Views({ door, clock, directory, dispatches });
    this.#dispatcher = new Dispatcher({ ...options, directory, dispatches });
    const stateless = statelessChannels({ subscriptions: door.subscriptions, sideChannels, assertTelemetry });
    this.#uninitialized = new Uninitialized(clock);
    const claim = (connection: Connection) => {
      this.#uninitialized.remove(connection);
      this.connections.claim(connection);
      connection.setView(views.of(connection));
      this.#spellings.identified(connection);
    };
    const { subscribe, unsubscribe } = subscribing(stateless, options.prepare);
    this.#unsubscribe = unsubscribe;
    this.#handlers = {
      ...options.handlers,
      ...handshakeHandlers({ ...options, clients, directory, stateless, claim, dispatches }),
      subscribe,
    };
  }

  /** What clients had dispatched could not be stored: they may send it again. */
  undone(undone: readonly Committed[]): void {
    for (const { origin, action } of undone) if (origin) this.#dispatches.lost(origin.clientId, action);
  }

  accept(incoming: Incoming): void {
    const { clock, people } = this.#options;
    const grant = grantOf(incoming, people);
    if (grant === undefined) {
      incoming.transport.close(CloseCodes.PolicyViolation, 'this access has ended');
      return;
    }
    const connection = new Connection(incoming, grant === 'owner' ? undefined : grant, this.#connectionHandler, clock);
    this.#uninitialized.add(connection);
    this.connections.add(connection);
  }

  #request(connection: Connection, method: string, params: RpcParams | undefined): unknown {
    const side = sideChannelOf(method, params);
    if (side && connection.profile) return this.#sideRequest(connection, method, side);
    const { down } = connection.dialect;
    if (!down) return this.#answer(connection, method, params);
    const translateResult = (result: unknown) =>
      ANSWERED_IN_DIALECT.has(method) ? result : down.result(method, decoded(result), this.#directory);
    const translateError = (error: unknown): never => {
      if (!(error instanceof RpcError)) throw error;
      const { code, message, data } = down.error(error, method);
      throw new RpcError(code, message, { data, cause: error });
    };
    try {
      const answer = this.#answer(connection, method, params);
      return answer instanceof Promise ? answer.then(translateResult).catch(translateError) : translateResult(answer);
    } catch (error) {
      return translateError(error);
    }
  }

  /** Requests on a side channel are routed by channel, not by method: the MCP server answers them, not the host (OQ-74). */
  #sideRequest(connection: Connection, method: string, params: SideParams): Promise<unknown> {
    if (!showsApps(connection)) throw methodNotFound(method);
    this.#assertAllowed(connection, method, params);
    return this.#options.sideChannels.request(params.channel, method, params);
  }

  /** Answers a request in the host's own version; parameters of another version are translated first. */
  #answer(connection: Connection, method: string, params: RpcParams | undefined): unknown {
    const row = requestRow(method);
    const handler = this.#handlers[method as keyof CommandMap];
    if (!connection.profile && !BEFORE_HANDSHAKE.has(method)) throw invalidRequest('send "initialize" first');
    const native = params === undefined || isObject(params) ? this.#toNative(connection, method, params ?? {}) : params;
    if (!row || !handler || row.direction === 'hostToClient' || !native) throw methodNotFound(method);
    const valid = checkedParams(row, native as RpcParams);
    if (!BEFORE_HANDSHAKE.has(method)) this.#assertAllowed(connection, method, valid);
    // Stores pending changes first: the answer then shows nothing that could still be undone, and a failure to store them
    // is not reported as a failure of this request.
    this.#options.door.settle();
    const answer = withStoreErrors(() => handler(valid as never, connection));
    const done = <T>(result: T) => {
      const { channel } = valid as { channel: URI };
      this.#options.audit?.accepted(connection, { kind: 'request', channel, method, params: valid });
      return this.#flush(result);
    };
    return answer instanceof Promise ? answer.catch(throwAsRpcError).then(done) : done(answer);
  }

  #assertAllowed(connection: Connection, method: string, params: unknown): void {
    const { channel } = params as { channel: URI };
    const reason = this.#options.authorize(connection, { kind: 'request', channel, method, params });
    if (reason !== undefined) throw notAllowed(reason);
  }

  #toNative(connection: Connection, method: string, params: WireObject): WireObject | undefined {
    if (!connection.profile) connection.namesChannels = params.channel !== undefined;
    const native = connection.dialect.up.request(method, params, this.#directory);
    if (method === 'createSession' && native) this.#assertNoAlias(native.channel);
    if (method !== 'initialize' || !native || native.protocolVersion === undefined) return native;
    return { protocolVersions: [], ...native };
  }

  /** A new session must not take a URI by which clients of an earlier version know another session. */
  #assertNoAlias(uri: unknown): void {
    if (typeof uri !== 'string' || this.#directory.resolve(uri) === uri) return;
    throw new RpcError(AhpErrorCodes.SessionAlreadyExists, `session ${uri} already exists`);
  }

  /** Stores what a request committed before its result is sent. */
  #flush<T>(result: T): T {
    withStoreErrors(() => this.#options.door.flush());
    return result;
  }

  #notification(connection: Connection, method: string, params: RpcParams | undefined): void {
    if (!connection.profile) return; // before the handshake notifications are ignored (OQ-9)
    const side = sideChannelOf(method, params);
    if (side) {
      const attempt = { kind: 'request', channel: side.channel, method, params: side } as const;
      const isAllowed = showsApps(connection) && this.#options.authorize(connection, attempt) === undefined;
      if (isAllowed) this.#options.sideChannels.notification(side.channel, method, side);
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
    if (method === 'action') this.#options.onClientAction(connection, params); // on a channel the client published (OQ-15)
  }
}

type SideParams = WireObject & { readonly channel: URI };

/** The parameters of a message on a side channel; undefined for others. Subscriptions are handled by the host itself. */
function sideChannelOf(method: string, params: RpcParams | undefined): SideParams | undefined {
  if (method === 'subscribe' || method === 'unsubscribe' || !isObject(params)) return undefined;
  const { channel } = params as WireObject;
  return typeof channel === 'string' && isMcpUri(channel) ? { ...params, channel } : undefined;
}

/** Their results are snapshots and envelopes, which the client's view has translated already. */
const ANSWERED_IN_DIALECT: ReadonlySet<string> = new Set(['initialize', 'reconnect', 'subscribe']);

function decoded(result: unknown): unknown {
  return result instanceof EncodedJson ? JSON.parse(result.text) : result;
}

const BEFORE_HANDSHAKE: ReadonlySet<string> = new Set(['ping', 'initialize', 'reconnect']);

/** Runs a function and turns a StoreError that it throws into an RpcError. */
function withStoreErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    return throwAsRpcError(error);
  }
}

/** The messages of a StoreError are written for people, so the client gets them; other errors are rethrown as they are. */
function throwAsRpcError(error: unknown): never {
  if (error instanceof StoreError) throw new RpcError(JsonRpcErrorCodes.InternalError, error.message, { cause: error });
  throw error;
}
