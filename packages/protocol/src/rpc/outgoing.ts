import { RequestAbandonedError, RpcError, TransportClosedError } from './errors.js';
import type { FailureFrame, RpcId, SuccessFrame } from './parse.js';
import type { CloseInfo } from './transport.js';

/** Options of one request. */
export interface RequestOptions {
  /** Needs the peer option `timers`. Without it a request waits for as long as the connection lasts. */
  readonly timeoutMs?: number;
}

/** Timers of the platform; `globalThis` fits. */
export interface Timers {
  /** Calls a function once, later. Returns what `clearTimeout` takes. */
  setTimeout(fn: () => void, ms: number): unknown;
  /** Keeps it from being called. */
  clearTimeout(handle: unknown): void;
}

/** Our requests that wait for an answer. */
export class OutgoingRequests {
  readonly #pending = new Map<RpcId, Pending>();
  readonly #send: (text: string) => void;
  readonly #maxPending: number;
  readonly #timers: Timers | undefined;
  #lastId = 0;
  #closedWith: CloseInfo | undefined;

  constructor(send: (text: string) => void, maxPending: number, timers: Timers | undefined) {
    this.#send = send;
    this.#maxPending = maxPending;
    this.#timers = timers;
  }

  /** Failures before sending are rejections as well: what the executor throws rejects the promise. */
  start(method: string, params: object | undefined, options: RequestOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closedWith) throw new TransportClosedError(this.#closedWith);
      if (this.#pending.size >= this.#maxPending) throw tooManyError(method, this.#maxPending);
      const id = this.#lastId + 1;
      const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      const stopTimeout = this.#startTimeout(id, method, options.timeoutMs);
      this.#lastId = id;
      this.#pending.set(id, { resolve, reject, stopTimeout });
      this.#send(text);
    });
  }

  /** It is normal that nobody waits for an id: the answer may come after a timeout. */
  settle(frame: SuccessFrame | FailureFrame): void {
    const pending = frame.id === null ? undefined : this.#take(frame.id);
    if (frame.kind === 'success') pending?.resolve(frame.result);
    else pending?.reject(new RpcError(frame.error.code, frame.error.message, { data: frame.error.data }));
  }

  close(info: CloseInfo): void {
    this.#closedWith = info;
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(new TransportClosedError(info));
  }

  #take(id: RpcId): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.stopTimeout?.();
    return pending;
  }

  #startTimeout(id: RpcId, method: string, timeoutMs: number | undefined): (() => void) | undefined {
    if (timeoutMs === undefined) return undefined;
    const timers = this.#timers;
    if (!timers) throw new Error('timeoutMs needs the peer option `timers`');
    const expire = () => this.#take(id)?.reject(timeoutError(method, timeoutMs));
    const handle = timers.setTimeout(expire, timeoutMs);
    return () => timers.clearTimeout(handle);
  }
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
  readonly stopTimeout: (() => void) | undefined;
}

function timeoutError(method: string, timeoutMs: number): Error {
  return new RequestAbandonedError('timeout', `request ${method} got no answer within ${timeoutMs} ms`);
}

function tooManyError(method: string, bound: number): Error {
  return new RequestAbandonedError(
    'too-many-pending',
    `${method} was not sent: maxPendingRequests (${bound}) wait for an answer already`,
  );
}
