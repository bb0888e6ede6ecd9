import {
  actionRow,
  actionTable,
  type ChannelKind,
  command,
  isClientDispatchable,
  isObject,
  notifications,
  type RequestRow,
  ROOT_URI,
  requestRow,
  requests,
  strict,
} from '@moorage/protocol';
import { stripNulls } from '@moorage/protocol/internal';
import type { Version } from '../legacy/client.js';
import type { Random } from '../random.js';
import type { Names } from './names.js';
import { spoil } from './spoil.js';
import type { Schema, Values } from './values.js';

/** What a client is about to send. `isInvalid`: whatever the state is, it must change nothing. */
export type Message =
  | { readonly kind: 'request'; readonly method: string; readonly params: unknown; readonly isInvalid: boolean }
  | { readonly kind: 'dispatch'; readonly params: unknown; readonly isInvalid: boolean }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown; readonly isInvalid: boolean }
  | { readonly kind: 'text' | 'binary' | 'bytes'; readonly data: string | Buffer; readonly isInvalid: true };

export interface MakerOptions {
  readonly random: Random;
  readonly names: Names;
  readonly values: Values;
  /** Leaves out what is accepted though it is not strictly valid (it may come from a later version): then all answers must be. */
  readonly isStrict: boolean;
}

const CLIENT_ACTIONS = Object.entries(actionTable).filter(([, row]) => row.sender === 'client');
const HOST_ACTIONS = Object.keys(actionTable).filter((type) => !isClientDispatchable(type));
/** Others are asked for by the fleet itself: they change who the client is. */
const METHODS = Object.keys(requests).filter((method) => method !== 'reconnect');
const NOTIFICATIONS = Object.entries(notifications).filter(([method]) => method !== 'dispatchAction');

/** Makes messages from the schemas: valid ones, ones with one thing wrong, and wild ones. */
export class MessageMaker {
  readonly #options: MakerOptions;

  constructor(options: MakerOptions) {
    this.#options = options;
  }

  next(version: Version): Message {
    for (;;) {
      const message = this.#any(version);
      if (message) return message;
    }
  }

  /** One that must change nothing, in that version of the wire. */
  invalid(version: Version): Message {
    const { random, values } = this.#options;
    if (version === '1.0.0') {
      for (;;) {
        const message = this.next(version);
        if (message.isInvalid && message.kind !== 'binary' && message.kind !== 'bytes') return message;
      }
    }
    const kind = random.below(3);
    if (kind === 0) return this.#text();
    if (kind === 1) return { kind: 'request', method: values.key(), params: values.json(), isInvalid: true };
    const type = random.pick(['fuzz/unknown', 'session/nothing', 'terminal/data', 'root/agentsChanged', '']);
    const params = { ...this.#dispatch(random.pick(CLIENT_ACTIONS)[0]), action: { type, session: 'x', terminal: 'x' } };
    return { kind: 'dispatch', params, isInvalid: true };
  }

  #any(version: Version): Message | undefined {
    const { random, values } = this.#options;
    const kind = random.below(100);
    if (kind < 44) return this.#request(version);
    if (kind < 88) return this.#action(version);
    if (kind < 92) {
      const [method, row] = random.pick(NOTIFICATIONS);
      const params = random.chance(0.5) ? values.of(row.params) : values.json();
      return { kind: 'notification', method, params, isInvalid: false };
    }
    if (kind < 97) return this.#text();
    if (kind === 97) return { kind: 'binary', data: this.#bytes(), isInvalid: true };
    if (kind === 98 && random.chance(0.3)) return { kind: 'bytes', data: this.#bytes(), isInvalid: true };
    const method = random.chance(0.5) ? values.key() : 'fuzz/unknown';
    return { kind: 'request', method, params: values.json(), isInvalid: true };
  }

  #request(version: Version): Message | undefined {
    const { random, names, values, isStrict } = this.#options;
    const method = random.pick(METHODS);
    const row = requestRow(method) as RequestRow;
    let params: unknown = values.of(row.params);
    if (row.channel !== 'root' && row.channel !== 'any' && row.channel !== 'telemetry')
      params = { ...(params as object), channel: names.channel(row.channel) };
    params = this.#spoilt(params);
    const isUsable = isObject(params) && command(row.params).check(repaired(params, row));
    if (isStrict && isUsable && !strict(row.params as Schema).check(params)) return undefined;
    return { kind: 'request', method, params: shaped(params, version), isInvalid: !isUsable };
  }

  #action(version: Version): Message | undefined {
    const { random, isStrict } = this.#options;
    const type = random.chance(0.06) ? random.pick(HOST_ACTIONS) : random.pick(CLIENT_ACTIONS)[0];
    const dispatch = this.#spoilt(this.#dispatch(type));
    const isInvalid = !isDispatchable(dispatch);
    if (isStrict && !isInvalid && !isStrictlyValid(dispatch.action)) return undefined;
    return { kind: 'dispatch', params: shaped(dispatch, version), isInvalid };
  }

  #dispatch(type: string): { channel: string; action: Record<string, unknown> } {
    const { names, values } = this.#options;
    const row = actionTable[type as keyof typeof actionTable];
    const kind: ChannelKind = row.kind;
    return { channel: names.channel(kind), action: values.of(row.schema) };
  }

  /** Half of them stay valid, some have one thing wrong, few have nothing right. */
  #spoilt<T>(value: T): T {
    const { random, values } = this.#options;
    const fate = random.fraction();
    if (fate < 0.5) return value;
    if (fate < 0.92) return spoil(value as object, random, values) as T;
    return values.json() as T;
  }

  #text(): Message {
    const { random, values } = this.#options;
    const json = JSON.stringify({
      jsonrpc: '2.0',
      id: 1e9 + random.below(1000),
      method: 'ping',
      params: values.json(),
    });
    const kind = random.below(9);
    const texts = [
      () => json.slice(0, random.below(json.length)),
      () => this.#bytes().toString('latin1'),
      () => `[${json}]`,
      () => JSON.stringify(values.json() ?? null),
      () => `${'['.repeat(20_000)}`,
      () => `{"jsonrpc":"2.0","id":${'9'.repeat(400)},"method":"ping"}`,
      () => JSON.stringify({ jsonrpc: '2.0', id: random.below(50), result: values.json() }),
      () => JSON.stringify({ jsonrpc: '2.0', id: null, error: values.json() }),
      () => `{"jsonrpc":"2.0","method":"dispatchAction","params":{"__proto__":{"a":1},"a":[${'0,'.repeat(5000)}0]}}`,
    ];
    return { kind: 'text', data: (texts[kind] as () => string)(), isInvalid: true };
  }

  #bytes(): Buffer {
    const { random } = this.#options;
    return Buffer.from(Array.from({ length: 1 + random.below(200) }, () => random.below(256)));
  }
}

/** Slips of real clients that the host puts right: they are not invalid. */
function repaired(params: Record<string, unknown>, row: RequestRow): Record<string, unknown> {
  const { model, channel } = params;
  return {
    ...params,
    ...(channel === undefined && row.channel === 'root' && { channel: ROOT_URI }),
    ...(typeof model === 'string' && { model: { id: model } }),
  };
}

/** Whether the host could ever accept it: its envelope can be read, and the action is one that a client may send. */
function isDispatchable(dispatch: unknown): boolean {
  if (!isObject(dispatch) || typeof dispatch.channel !== 'string' || !isObject(dispatch.action)) return false;
  const { type } = dispatch.action;
  if (typeof type !== 'string' || !isClientDispatchable(type)) return false;
  return command(actionRow(type)?.schema as Schema).check(stripNulls(dispatch.action));
}

function isStrictlyValid(action: Record<string, unknown>): boolean {
  return strict(actionRow(String(action.type))?.schema as Schema).check(action);
}

const WITHOUT_CHATS: readonly Version[] = [1, '0.1.0', '0.2.0', '0.3.0'];

/** As clients of other versions say it: chats are their sessions, and early ones have no channels. */
function shaped(params: unknown, version: Version): unknown {
  if (!WITHOUT_CHATS.includes(version) || !isObject(params)) return params;
  const isEarly = version === 1 || version === '0.1.0';
  const rename = (value: unknown): unknown =>
    typeof value === 'string'
      ? value.replace(/^chat\//, 'session/').replace(/^ahp-chat:/, isEarly ? 'demo:' : 'ahp-session:')
      : value;
  const { channel, action, ...rest } = params;
  const named = rename(channel);
  const early = { session: named, terminal: named };
  const renamed = isObject(action) ? { ...action, type: rename(action.type), ...(isEarly && early) } : action;
  return {
    ...rest,
    ...(isEarly ? { resource: named, ...early } : { channel: named }),
    ...(action !== undefined && { action: renamed }),
  };
}
