import { JsonRpcErrorCodes, lenient, RpcError, resourceRequestRow, type ServerCommandMap } from '@moorage/protocol';

/** A request that a host may make of a client. */
export type ReverseRequest = keyof ServerCommandMap;

/** Answers a request of the host. Throw an `RpcError` to answer with an error; anything else becomes an internal error. */
export type ReverseHandler<M extends ReverseRequest> = (
  params: ServerCommandMap[M]['params'],
) => ServerCommandMap[M]['result'] | Promise<ServerCommandMap[M]['result']>;

/** Answers the host's requests. Without a handler the answer is "method not found", so that the host need not wait. */
export class ReverseRequests {
  readonly #handlers = new Map<string, (params: never) => unknown>();

  /** The returned function takes the handler off again. */
  handle<M extends ReverseRequest>(method: M, handler: ReverseHandler<M>): () => void {
    if (this.#handlers.has(method)) throw new Error(`${method} has a handler already`);
    this.#handlers.set(method, handler);
    return () => {
      if (this.#handlers.get(method) === handler) this.#handlers.delete(method);
    };
  }

  answer(method: string, params: unknown): unknown {
    const handler = this.#handlers.get(method);
    const row = resourceRequestRow(method);
    if (!handler || !row) throw new RpcError(JsonRpcErrorCodes.MethodNotFound, `${method} is not supported`);
    const problem = lenient(row.params).explain(params);
    if (problem) {
      throw new RpcError(JsonRpcErrorCodes.InvalidParams, `${problem.path || 'params'}: expected ${problem.expected}`);
    }
    return handler(params as never);
  }
}
