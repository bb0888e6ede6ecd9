import { encodeFailure, encodeSuccess } from './encode.js';
import { JsonRpcErrorCodes, RpcError } from './errors.js';
import type { RequestFrame, RpcId, RpcParams } from './parse.js';
import { runHandler } from './peer.js';

export interface IncomingOptions {
  readonly maxInflight: number;
  send(text: string): void;
  onRequest(method: string, params: RpcParams | undefined): unknown;
  onInternalError(error: unknown, method: string): void;
}

/** The other side's requests that wait for our answer; each gets exactly one. */
export class IncomingRequests {
  readonly #inflight = new Set<RpcId>();
  readonly #options: IncomingOptions;

  constructor(options: IncomingOptions) {
    this.#options = options;
  }

  handle({ id, method, params }: RequestFrame): void {
    if (this.#inflight.has(id)) {
      this.#options.send(encodeFailure(id, DUPLICATE_ID));
      return;
    }
    if (this.#inflight.size >= this.#options.maxInflight) {
      this.#options.send(encodeFailure(id, TOO_MANY));
      return;
    }
    this.#inflight.add(id);

    const answer = (encode: () => string) => {
      try {
        this.#answer(id, encode());
      } catch (error) {
        this.#answer(id, encodeFailure(id, INTERNAL_ERROR));
        this.#options.onInternalError(error, method);
      }
    };
    runHandler(
      () => this.#options.onRequest(method, params),
      (result) => answer(() => encodeSuccess(id, result)),
      (error) => answer(() => encodeThrown(id, error)),
    );
  }

  #answer(id: RpcId, text: string): void {
    if (this.#inflight.delete(id)) this.#options.send(text);
  }
}

const DUPLICATE_ID = { code: JsonRpcErrorCodes.InvalidRequest, message: 'duplicate request id' };
const TOO_MANY = { code: JsonRpcErrorCodes.InternalError, message: 'too many requests in flight' };
const INTERNAL_ERROR = { code: JsonRpcErrorCodes.InternalError, message: 'internal error' };

// Only an RpcError is meant for the other side. Any other error may hold paths or secrets, so it is thrown on.
function encodeThrown(id: RpcId, error: unknown): string {
  if (error instanceof RpcError) return encodeFailure(id, error);
  throw error;
}
