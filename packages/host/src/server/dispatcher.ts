import { isObject, RpcError, type RpcParams, type StateAction, type URI } from '@moorage/protocol';
import { stripNulls } from '@moorage/protocol/internal';
import type { Dialect, UpwardAction, WireDispatch } from '@moorage/protocol/versions';
import type { Door } from '../core/door.js';
import type { Attempt, Authorize } from '../ports/authorize.js';
import { StoreError } from '../ports/store.js';
import type { Connection } from './connection.js';
import type { HostDirectory } from './dialects/directory.js';
import type { Dispatch, DispatchMemory } from './dispatch-memory.js';

export interface DispatcherOptions {
  readonly door: Door;
  readonly directory: HostDirectory;
  readonly dispatches: DispatchMemory;
  readonly authorize: Authorize;
  /** Is told of every action and request of a client that was accepted. */
  readonly audit?: { accepted(connection: Connection, attempt: Attempt): void } | undefined;
  /** Adds a chat to a session that has none. May throw an RpcError. */
  readonly addChat: (session: URI) => void;
  /** An action was rejected because its sender has given no tokens for these resources. */
  readonly onTokensMissing: (connection: Connection, channel: URI, resources: readonly string[]) => void;
}

/** Brings dispatched actions of any protocol version to the door: answers repetitions, translates, and acts on the verdict. */
export class Dispatcher {
  readonly #options: DispatcherOptions;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  dispatch(connection: Connection, params: RpcParams | undefined): void {
    const dispatch = readDispatch(params, connection.dialect);
    if (!dispatch) return;
    const { door } = this.#options;
    const { clientSeq, channel, action } = dispatch;
    try {
      this.#toDoor(connection, dispatch);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error; // else the stored session cannot be read
      door.refuse(connection, channel, clientSeq, asStateAction(action), error.message);
    }
  }

  #toDoor(connection: Connection, dispatch: Dispatch): void {
    const { clientId } = connection;
    const { door, directory, dispatches, onTokensMissing } = this.#options;
    const { clientSeq } = dispatch;
    const target = { channel: directory.resolve(dispatch.channel), action: dispatch.action };
    const asSent = asStateAction(target.action);
    const repeated = dispatches.repeated(clientId, dispatch);
    const remembered = dispatches.add(clientId, dispatch, target.channel, asSent);
    if (repeated) {
      // The answer is a rejection, not a second echo: the sender has the first, in its replay or its snapshot.
      repeated.mayRepeat = false;
      repeated.acceptedAfter = door.serverSeq;
      door.refuse(connection, target.channel, clientSeq, asSent, ALREADY_APPLIED);
      return;
    }
    const native = this.#toNative(connection, target);
    if (native.kind === 'reject') {
      door.refuse(connection, target.channel, clientSeq, asSent, native.reason);
      return;
    }
    const { channel, isRephrased = false } = native;
    const action = stripNulls(asStateAction(native.action));
    Object.assign(remembered, { channel, action, isRephrased });
    const before = door.serverSeq;
    const verdict = door.dispatch(connection, channel, clientSeq, action);
    if (verdict.kind === 'accept') {
      remembered.acceptedAfter = before;
      remembered.action = verdict.applied ?? action;
      this.#options.audit?.accepted(connection, { kind: 'action', channel, action });
    }
    if (verdict.kind === 'reject' && verdict.needs) onTokensMissing(connection, channel, verdict.needs);
  }

  #toNative(connection: Connection, target: WireDispatch): Exclude<UpwardAction, { kind: 'needsChat' }> {
    const { door, directory, addChat, authorize } = this.#options;
    const { dialect } = connection;
    const native = dialect.up.action(target, directory);
    if (native.kind !== 'needsChat') return native;
    const { session } = native;
    const attempt = { kind: 'request', channel: session, method: 'createChat', params: { channel: session } } as const;
    const reason = authorize(connection, attempt);
    if (reason !== undefined) return { kind: 'reject', reason };
    try {
      addChat(session);
      door.settle(); // now everyone who follows the session follows its new chat
    } catch (error) {
      if (error instanceof RpcError) return { kind: 'reject', reason: error.message };
      throw error;
    }
    const again = dialect.up.action(target, directory);
    return again.kind === 'needsChat' ? { kind: 'reject', reason: 'the session has no chat' } : again;
  }
}

const ALREADY_APPLIED = 'the host had applied this before the reconnect; it was not applied again';

/** Reads the members of a dispatch; undefined when one is missing or malformed. The rules validate the action itself. */
function readDispatch(params: RpcParams | undefined, { up }: Dialect): Dispatch | undefined {
  if (!isObject(params)) return undefined;
  const { clientSeq, action } = params;
  const channel = up.channelOf(params);
  if (channel === undefined || !isCount(clientSeq) || !isObject(action)) return undefined;
  const { type } = action;
  return typeof type === 'string' ? { channel, clientSeq, action: { ...action, type } } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** Safe although unchecked: the rules validate an action against its schema before anything else uses it. */
function asStateAction(action: WireDispatch['action']): StateAction {
  return action as unknown as StateAction;
}
