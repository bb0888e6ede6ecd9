import type { CommandMap } from '@ahpd/protocol';
import type { EncodedJson } from '@ahpd/protocol/internal';
import type { Subscriber } from './subscriber.js';

/** Answers one method. What it decided is stored before the answer goes out; an RpcError becomes a JSON-RPC error. */
export type Handler<M extends keyof CommandMap, Caller = Subscriber> = (
  params: CommandMap[M]['params'],
  caller: Caller,
) => Answer<CommandMap[M]['result']> | Promise<Answer<CommandMap[M]['result']>>;

/** A result, or the JSON text of one that exists already. */
type Answer<R> = R | EncodedJson;

/** Who answers what; a method without a handler is not served. */
export type Handlers<Caller = Subscriber> = { readonly [M in keyof CommandMap]?: Handler<M, Caller> };
