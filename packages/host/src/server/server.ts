import {
  type CommandMap,
  chatUri,
  command,
  JsonRpcErrorCodes,
  type Peer,
  type RequestRow,
  ROOT_URI,
  RpcError,
  type RpcParams,
  requestRow,
  stripNulls,
  TransportClosedError,
  terminalUri,
} from '@ahpd/protocol';
import type { Door } from '../core/door.js';
import { invalidParams, invalidRequest, methodNotFound } from '../core/errors.js';
import type { Handlers } from '../core/handler.js';
import { isSessionUri } from '../core/session-uri.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { StoreError } from '../ports/store.js';
import type { Incoming } from '../ports/transport.js';
import { Connection, readDispatch } from './connection.js';
import type { DispatchMemory } from './dispatch-memory.js';
import { CLOSE_REPLACED } from './limits.js';

export interface ServerOptions {
  readonly door: Door;
  readonly clock: Clock;
  readonly log: Log;
  readonly handlers: Handlers<Connection>;
  readonly dispatches: DispatchMemory;
  /** A client tells of a change on a channel that it made for the host; nothing of it is checked yet. */
  readonly onClientAction: (connection: Connection, params: RpcParams | undefined) => void;
  /** Actions that have to wait for the end of all turns are kept elsewhere. */
  readonly onDeferred: (
    connection: Connection,
    dispatch: { channel: string; clientSeq: number; action: never },
  ) => void;
}

/** Every connected client, and the way from what it sends to who answers it. */
export class Server {
  readonly #options: ServerOptions;
  readonly #connections = new Set<Connection>();
  readonly #byClientId = new Map<string, Connection>();
  readonly #onGone: ((connection: Connection) => void)[] = [];

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  accept(incoming: Incoming): void {
    const handler = {
      request: (connection: Connection, method: string, params: RpcParams | undefined) =>
        this.#request(connection, method, params),
      notification: (connection: Connection, method: string, params: RpcParams | undefined) =>
        this.#notification(connection, method, params),
      closed: (connection: Connection) => this.#closed(connection),
      failed: (error: unknown, method: string) =>
        this.#options.log.write('error', 'a request failed', { method, error: String(error) }),
    };
    this.#connections.add(new Connection(incoming, handler, this.#options.clock));
  }

  /** Called with a client's connection when it is gone for good. */
  onClientGone(listener: (connection: Connection) => void): void {
    this.#onGone.push(listener);
  }

  client(clientId: string): Connection | undefined {
    return this.#byClientId.get(clientId);
  }

  /** The way to ask a client something; throws when it is not there. */
  peerOf(clientId: string): Peer {
    const connection = this.client(clientId);
    if (!connection) throw new TransportClosedError({ reason: 'the client is not connected' });
    return connection.peer;
  }

  /** A client has said who it is; an older connection of the same client ends (OQ-10). */
  claim(connection: Connection): void {
    const older = this.#byClientId.get(connection.clientId);
    this.#byClientId.set(connection.clientId, connection);
    if (older && older !== connection) older.peer.close(CLOSE_REPLACED, 'a newer connection took over');
  }

  closeAll(code: number, reason: string): void {
    for (const connection of [...this.#connections]) connection.peer.close(code, reason);
  }

  #request(connection: Connection, method: string, params: RpcParams | undefined): unknown {
    const row = requestRow(method);
    const handler = this.#options.handlers[method as keyof CommandMap];
    if (!connection.profile && !BEFORE_HANDSHAKE.has(method)) throw invalidRequest('send "initialize" first');
    if (!row || !handler || row.direction === 'hostToClient') throw methodNotFound(method);
    const valid = checked(row, params);
    // What others decided comes first: an answer shows nothing that could be undone, and a failure is told to its cause.
    this.#options.door.settle();
    const answer = telling(() => handler(valid as never, connection));
    if (!(answer instanceof Promise)) return this.#flushed(answer);
    return answer.catch(tell).then((result) => this.#flushed(result));
  }

  /** What a request decided is stored before it is answered. */
  #flushed<T>(result: T): T {
    telling(() => this.#options.door.flush());
    return result;
  }

  #notification(connection: Connection, method: string, params: RpcParams | undefined): void {
    if (!connection.profile) return; // OQ-9
    if (method === 'unsubscribe') {
      const channel = (params as { channel?: unknown } | undefined)?.channel;
      if (typeof channel === 'string') this.#options.door.subscriptions.remove(connection, channel);
    }
    if (method === 'dispatchAction') this.#dispatch(connection, params);
    if (method === 'action') this.#options.onClientAction(connection, params); // of a channel that the client made (OQ-15)
  }

  #dispatch(connection: Connection, params: RpcParams | undefined): void {
    const dispatch = readDispatch(params);
    if (!dispatch) return;
    const { door, dispatches, onDeferred } = this.#options;
    const { clientId } = connection;
    const { channel, clientSeq } = dispatch;
    if (dispatches.has(clientId, clientSeq)) return;
    const action = stripNulls(dispatch.action);
    const verdict = door.dispatch(connection, channel, clientSeq, action);
    if (verdict.kind === 'accept' || verdict.kind === 'defer') dispatches.add(clientId, clientSeq);
    if (verdict.kind === 'defer') onDeferred(connection, { channel, clientSeq, action: action as never });
  }

  #closed(connection: Connection): void {
    this.#connections.delete(connection);
    this.#options.door.subscriptions.removeSubscriber(connection);
    if (this.#byClientId.get(connection.clientId) !== connection) return; // never identified, or replaced
    this.#byClientId.delete(connection.clientId);
    for (const listener of this.#onGone) listener(connection);
  }
}

const BEFORE_HANDSHAKE: ReadonlySet<string> = new Set(['ping', 'initialize', 'reconnect']);

/** The parameters, if they are what the method asks for. */
function checked(row: RequestRow, params: RpcParams | undefined): unknown {
  const problem = command(row.params).explain(params ?? {});
  if (problem) throw invalidParams(`params${problem.path}: expected ${problem.expected}`);
  const { channel } = (params ?? {}) as { channel: string };
  const expected = channelProblem(row, channel);
  if (expected) throw invalidParams(`params/channel: expected ${expected}`);
  return params ?? {};
}

/** What the channel of a request should have been, if it is not that (OQ-16). */
function channelProblem({ channel: rule }: RequestRow, channel: string): string | undefined {
  if (rule === 'root' && channel !== ROOT_URI) return `"${ROOT_URI}"`;
  if (rule === 'session' && !isSessionUri(channel)) return 'the URI of a session, such as "ahp-session:/<uuid>"';
  if (rule === 'chat' && !chatUri.matches(channel)) return 'the URI of a chat, such as "ahp-chat:/<uuid>"';
  if (rule === 'terminal' && !terminalUri.matches(channel))
    return 'the URI of a terminal, such as "ahp-terminal:/<uuid>"';
  return undefined;
}

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
