import type { CommandMap } from '@moorage/protocol';
import type { EncodedJson } from '@moorage/protocol/internal';
import type { Subscriber } from './delivery.js';

/** Answers one method. What it committed is stored before the answer is sent; an RpcError becomes a JSON-RPC error. */
export type Handler<M extends keyof CommandMap, Caller = Subscriber> = (
  params: CommandMap[M]['params'],
  caller: Caller,
) => Answer<CommandMap[M]['result']> | Promise<Answer<CommandMap[M]['result']>>;

/** A result, or its JSON text where that exists already. */
type Answer<R> = R | EncodedJson;

/** The handler of each method; a method without one is answered with "method not found". */
export type Handlers<Caller = Subscriber> = { readonly [M in keyof CommandMap]?: Handler<M, Caller> };
