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
  /** Gives a session that has no chat one. */
  readonly addChat: (session: URI) => void;
  /** An action was refused for want of tokens. */
  readonly onTokensMissing: (connection: Connection, channel: URI, resources: readonly string[]) => void;
  /** Actions that have to wait for the end of all turns are kept elsewhere. */
  readonly onDeferred: (
    connection: Connection,
    dispatch: { channel: string; clientSeq: number; action: never },
  ) => void;
}

/** The way of a dispatched action to the door, in whatever version it came. */
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
      if (!(error instanceof StoreError)) throw error;
      door.refuse(connection, channel, clientSeq, unjudged(action), error.message); // it cannot be read
    }
  }

  #judge(connection: Connection, dispatch: WireDispatch & { clientSeq: number }): void {
    const { clientId, dialect } = connection;
    const { door, directory, dispatches, onDeferred, onTokensMissing } = this.#options;
    const { clientSeq } = dispatch;
    const target = { channel: directory.resolve(dispatch.channel), action: dispatch.action };
    const native = this.#native(dialect, target);
    if (native.kind === 'reject') {
      door.refuse(connection, target.channel, clientSeq, unjudged(target.action), native.reason);
      return;
    }
    const { channel } = native;
    const action = stripNulls(unjudged(native.action));
    const verdict = door.dispatch(connection, channel, clientSeq, action);
    if (verdict.kind === 'accept' || verdict.kind === 'defer') dispatches.add(clientId, clientSeq);
    if (verdict.kind === 'reject' && verdict.needs) onTokensMissing(connection, channel, verdict.needs);
    if (verdict.kind === 'defer') onDeferred(connection, { channel, clientSeq, action: action as never });
  }

  #native(dialect: Dialect, target: WireDispatch): Exclude<UpwardAction, { kind: 'needsChat' }> {
    const { door, directory, addChat } = this.#options;
    const native = dialect.up.action(target, directory);
    if (native.kind !== 'needsChat') return native;
    try {
      addChat(native.session);
      door.settle(); // whoever follows the session follows its chat from here on
    } catch (error) {
      if (error instanceof RpcError) return { kind: 'reject', reason: error.message };
      throw error;
    }
    const again = dialect.up.action(target, directory);
    return again.kind === 'needsChat' ? { kind: 'reject', reason: 'the session has no chat' } : again;
  }
}

/** A dispatch whose envelope can be read; whether the action itself is valid is for the rules to say. */
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

/** The rules look at it as what it claims to be, before anybody else does. */
function unjudged(action: WireDispatch['action']): StateAction {
  return action as unknown as StateAction;
}
