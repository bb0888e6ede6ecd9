import { type Peer, RequestAbandonedError, TransportClosedError } from '@moorage/protocol';
import { abortable } from '../abort.js';
import type { Clock } from '../clock.js';
import { RequestError, type RequestFailure } from '../errors.js';
import type { Connection } from './connection.js';
import { type Call, type CallFailure, WaitingCalls } from './waiting-calls.js';

/** Milliseconds, or false for no limit. */
export type Timeout = number | false;

/** Sends requests and notifications: now, or as soon as the connection is live. */
export class Caller {
  readonly #connection: Connection;
  readonly #waiting: WaitingCalls;
  readonly #timeoutMs: Timeout;

  constructor(connection: Connection, clock: Clock, timeoutMs: Timeout) {
    this.#connection = connection;
    this.#waiting = new WaitingCalls(clock);
    this.#timeoutMs = timeoutMs;
  }

  /** The host's result as it came, or an RpcError or RequestError. */
  request(
    method: string,
    params: object,
    timeoutMs: Timeout = this.#timeoutMs,
    signal?: AbortSignal,
  ): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    let withdraw = () => {};
    const answered = new Promise((resolve, reject) => {
      const send = (peer: Peer, remainingMs: number | undefined) => {
        const options = remainingMs === undefined ? {} : { timeoutMs: remainingMs };
        peer.request(method, params, options).then(resolve, (error) => reject(this.#asRequestError(method, error)));
      };
      const fail = (why: CallFailure) => reject(new RequestError(why, method, NOT_SENT[why]));
      const call = { send, fail };
      withdraw = () => this.#waiting.withdraw(call);
      this.whenLive(call, timeoutMs);
    });
    return abortable(answered, signal, withdraw);
  }

  whenLive(call: Call, timeoutMs: Timeout = this.#timeoutMs): void {
    const limitMs = timeoutMs === false ? undefined : timeoutMs;
    const peer = this.#connection.livePeer;
    if (peer) call.send(peer, limitMs);
    else if (this.#connection.status === 'closed') call.fail('closed');
    else this.#waiting.add(call, limitMs);
  }

  sendWaiting(): void {
    const peer = this.#connection.livePeer;
    if (peer) this.#waiting.sendAll(peer);
  }

  close(): void {
    this.#waiting.failAll('closed');
  }

  #asRequestError(method: string, error: unknown): unknown {
    if (error instanceof TransportClosedError) {
      if (this.#connection.status === 'closed') return new RequestError('closed', method, NOT_SENT.closed, error);
      return new RequestError('lost', method, 'the connection was lost before the answer', error);
    }
    if (!(error instanceof RequestAbandonedError)) return error;
    const kind: RequestFailure = error.why === 'too-many-pending' ? 'overflow' : 'timeout';
    return new RequestError(kind, method, error.message, error);
  }
}

const NOT_SENT: { readonly [W in CallFailure]: string } = {
  timeout: 'there was no connection in time',
  overflow: 'too many calls wait for a connection',
  closed: 'the client is closed',
};
