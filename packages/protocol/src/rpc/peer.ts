import { CloseCodes } from './close-codes.js';
import { type ErrorBody, JsonRpcErrorCodes, RpcError } from './errors.js';
import { DEFAULT_LIMITS, type RpcLimits } from './limits.js';
import { OutgoingRequests, type RequestOptions, type Timers } from './outgoing.js';
import {
  type Frame,
  type NotificationFrame,
  parseFrame,
  type RequestFrame,
  type RpcId,
  type RpcParams,
} from './parse.js';
import { type CloseInfo, closeInfo, type Transport } from './transport.js';

/** What a peer does with what the other side sends. */
export interface PeerOptions {
  /** The result is sent at once, or when its promise settles. Throw an `RpcError` to answer with an error. */
  onRequest(method: string, params: RpcParams | undefined): unknown;
  /** Called for each notification. */
  onNotification(method: string, params: RpcParams | undefined): void;
  /** Called once, after pending requests were rejected. */
  onClose?(info: CloseInfo): void;
  /** The other side broke the protocol; the connection goes on. */
  onProtocolError?(message: string): void;
  /** A handler failed with something other than an RpcError, or its answer has no JSON form. */
  onInternalError?(error: unknown, method: string): void;
  /** Bounds; those that are left out have their defaults. */
  readonly limits?: Partial<RpcLimits>;
  /** Needed for requests with a timeout. */
  readonly timers?: Timers;
}

/** One end of a JSON-RPC connection. */
export interface Peer {
  /** Whether the connection is gone. */
  readonly closed: boolean;
  /** Asks, and resolves with the answer. */
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>;
  /** Says something that is not answered. */
  notify(method: string, params?: object): void;
  /** Sends a frame the caller has encoded already, such as one notification for many peers. */
  sendRaw(text: string): void;
  /** Ends the connection. */
  close(code?: number, reason?: string): void;
}

/** Speaks JSON-RPC 2.0 over a transport. Both sides are peers: each may call the other. */
export function createPeer(transport: Transport, options: PeerOptions): Peer {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  let closed = false;

  const sendRaw = (text: string) => {
    if (!closed) transport.send(text);
  };
  const onInternalError = (error: unknown, method: string) => options.onInternalError?.(error, method);
  const outgoing = new OutgoingRequests(sendRaw, limits.maxPendingRequests, options.timers);
  const incoming = new IncomingRequests({
    maxInflight: limits.maxInflightRequests,
    send: sendRaw,
    onRequest: (method, params) => options.onRequest(method, params),
    onInternalError,
  });

  const finish = (info: CloseInfo) => {
    if (closed) return;
    closed = true;
    outgoing.close(info);
    options.onClose?.(info);
  };
  const close = (code?: number, reason?: string) => {
    if (closed) return;
    transport.close(code, reason);
    finish(closeInfo(code, reason));
  };

  // No closures here: this runs for every action that a client gets.
  const notified = ({ method, params }: NotificationFrame) => {
    try {
      const outcome: unknown = options.onNotification(method, params);
      if (isPromiseLike(outcome)) void Promise.resolve(outcome).catch((error) => onInternalError(error, method));
    } catch (error) {
      onInternalError(error, method);
    }
  };
  const receive = (frame: Frame) => {
    switch (frame.kind) {
      case 'request':
        return incoming.handle(frame);
      case 'notification':
        return notified(frame);
      case 'success':
        return outgoing.settle(frame);
      case 'failure':
        outgoing.settle(frame);
        if (frame.id === null) options.onProtocolError?.(`our frame was rejected: ${describe(frame.error)}`);
        return;
      case 'invalid':
        if (frame.answerable) sendRaw(encodeFailure(frame.id, { code: frame.code, message: frame.message }));
        options.onProtocolError?.(`invalid ${frame.answerable ? 'message' : 'response'}: ${describe(frame)}`);
    }
  };

  transport.onMessage((text) => {
    if (closed) return;
    if (text.length > limits.maxFrameChars)
      close(CloseCodes.MessageTooBig, `the frame is longer than maxFrameChars (${limits.maxFrameChars})`);
    else receive(parseFrame(text, limits));
  });
  transport.onClose(finish);

  return {
    get closed() {
      return closed;
    },
    request: (method, params, requestOptions = {}) => outgoing.start(method, params, requestOptions),
    notify: (method, params) => sendRaw(JSON.stringify({ jsonrpc: '2.0', method, params })),
    sendRaw,
    close,
  };
}

// The text may be the other side's and as long as a frame; the start is enough for a log.
function describe({ code, message }: { code: number; message: string }): string {
  return `${code} ${message.slice(0, 200)}`;
}

/** Passes on a plain result in the same turn, so that answers keep their order, and a promised one when it settles. */
function runHandler(call: () => unknown, onResult: (result: unknown) => void, onError: (error: unknown) => void): void {
  let outcome: unknown;
  let promised: boolean;
  try {
    outcome = call();
    promised = isPromiseLike(outcome);
  } catch (error) {
    onError(error);
    return;
  }
  if (promised) void Promise.resolve(outcome).then(onResult, onError);
  else onResult(outcome);
}

function isPromiseLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

interface IncomingOptions {
  readonly maxInflight: number;
  send(text: string): void;
  onRequest(method: string, params: RpcParams | undefined): unknown;
  onInternalError(error: unknown, method: string): void;
}

/** The other side's requests that wait for our answer; each gets exactly one. */
class IncomingRequests {
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

/** A result that is JSON text already, such as stored envelopes: it is sent as it is, not parsed and written again. */
export class EncodedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Throws when the result has no JSON form; undefined counts as null. */
function encodeSuccess(id: RpcId, result: unknown): string {
  if (result instanceof EncodedJson) return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result.text}}`;
  // On its own, because inside an object JSON.stringify silently drops a member that is a function or symbol.
  const json: string | undefined = JSON.stringify(result ?? null);
  if (json === undefined) throw new TypeError('the result has no JSON form');
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`;
}

/** Throws when the data has no JSON form or the receiver would have to ignore the code. */
function encodeFailure(id: RpcId | null, { code, message, data }: ErrorBody): string {
  if (!Number.isInteger(code)) throw new TypeError(`error code ${code} is not an integer`);
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
}
