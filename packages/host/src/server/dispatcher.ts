import { isObject, RpcError, type RpcParams, type StateAction, type URI } from '@ahpd/protocol';
import { stripNulls } from '@ahpd/protocol/internal';
import type { Dialect, UpwardAction, WireDispatch } from '@ahpd/protocol/versions';
import type { Door } from '../core/door.js';
import { StoreError } from '../ports/store.js';
import type { Connection } from './connection.js';
import type { HostDirectory } from './dialects/directory.js';
import type { EchoMemory } from './dialects/echo-memory.js';
import type { DispatchMemory } from './dispatch-memory.js';

export interface DispatcherOptions {
  readonly door: Door;
  readonly directory: HostDirectory;
  readonly dispatches: DispatchMemory;
  readonly echoes: EchoMemory;
  /** Adds a chat to a session that has none. May throw an RpcError. */
  readonly addChat: (session: URI) => void;
  /** An action was rejected because its sender has given no tokens for these resources. */
  readonly onTokensMissing: (connection: Connection, channel: URI, resources: readonly string[]) => void;
  /** An action must wait until no turn of the session runs; the receiver keeps it and commits it then. */
  readonly onDeferred: (
    connection: Connection,
    dispatch: { channel: string; clientSeq: number; action: never },
  ) => void;
}

/** Brings dispatched actions of any protocol version to the door: drops repetitions, translates, and acts on the verdict. */
export class Dispatcher {
  readonly #options: DispatcherOptions;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  dispatch(connection: Connection, params: RpcParams | undefined): void {
    const { clientId, dialect } = connection;
    const dispatch = readDispatch(params, dialect);
    if (!dispatch) return;
    const { door, dispatches, echoes } = this.#options;
    const { clientSeq, channel, action } = dispatch;
    if (dispatches.has(clientId, clientSeq)) return;
    if (dialect.down) echoes.add(clientId, clientSeq, dispatch);
    try {
      this.#judge(connection, dispatch);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error; // else the stored session cannot be read
      door.refuse(connection, channel, clientSeq, asStateAction(action), error.message);
    }
  }

  #judge(connection: Connection, dispatch: WireDispatch & { clientSeq: number }): void {
    const { clientId, dialect } = connection;
    const { door, directory, dispatches, onDeferred, onTokensMissing } = this.#options;
    const { clientSeq } = dispatch;
    const target = { channel: directory.resolve(dispatch.channel), action: dispatch.action };
    const native = this.#toNative(dialect, target);
    if (native.kind === 'reject') {
      door.refuse(connection, target.channel, clientSeq, asStateAction(target.action), native.reason);
      return;
    }
    const { channel } = native;
    const action = stripNulls(asStateAction(native.action));
    const verdict = door.dispatch(connection, channel, clientSeq, action);
    if (verdict.kind === 'accept' || verdict.kind === 'defer') dispatches.add(clientId, clientSeq);
    if (verdict.kind === 'reject' && verdict.needs) onTokensMissing(connection, channel, verdict.needs);
    if (verdict.kind === 'defer') onDeferred(connection, { channel, clientSeq, action: action as never });
  }

  #toNative(dialect: Dialect, target: WireDispatch): Exclude<UpwardAction, { kind: 'needsChat' }> {
    const { door, directory, addChat } = this.#options;
    const native = dialect.up.action(target, directory);
    if (native.kind !== 'needsChat') return native;
    try {
      addChat(native.session);
      door.settle(); // now everyone who follows the session follows its new chat
    } catch (error) {
      if (error instanceof RpcError) return { kind: 'reject', reason: error.message };
      throw error;
    }
    const again = dialect.up.action(target, directory);
    return again.kind === 'needsChat' ? { kind: 'reject', reason: 'the session has no chat' } : again;
  }
}

/** Reads the members of a dispatch; undefined when one is missing or malformed. The rules validate the action itself. */
function readDispatch(
  params: RpcParams | undefined,
  { up }: Dialect,
): (WireDispatch & { clientSeq: number }) | undefined {
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
