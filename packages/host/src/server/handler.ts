import type { CommandMap, EncodedJson } from '@ahpd/protocol';
import type { Connection } from './connection.js';

/** Answers one method. What it decided is stored before the answer goes out; an RpcError becomes a JSON-RPC error. */
export type Handler<M extends keyof CommandMap> = (
  params: CommandMap[M]['params'],
  connection: Connection,
) => Answer<CommandMap[M]['result']> | Promise<Answer<CommandMap[M]['result']>>;

/** A result, or the JSON text of one that exists already. */
export type Answer<R> = R | EncodedJson;

export type Handlers = { readonly [M in keyof CommandMap]?: Handler<M> };
