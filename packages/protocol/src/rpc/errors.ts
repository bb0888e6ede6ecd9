import type { CloseInfo } from './transport.js';

/** The error codes of JSON-RPC 2.0. */
export const JsonRpcErrorCodes = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
} as const;

/** The `error` member of a response. */
export interface ErrorBody {
  /** What kind of error it is. */
  readonly code: number;
  /** A sentence for people. */
  readonly message: string;
  /** More, for programs. */
  readonly data?: unknown;
}

/** An error that travels: thrown by a handler it becomes the answer, and an error answer rejects the request with it. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data?: unknown;

  /** `cause` stays on this side; only code, message and data go on the wire. */
  constructor(code: number, message: string, options: { data?: unknown; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    if (options.data !== undefined) this.data = options.data;
  }
}

/** The connection ended before there was an answer. */
export class TransportClosedError extends Error {
  override readonly name = 'TransportClosedError';
  readonly info: CloseInfo;

  constructor(info: CloseInfo) {
    super(info.reason ? `transport closed: ${info.reason}` : 'transport closed');
    this.info = info;
  }
}

/** This side gave up on a request; the other may still be working on it. */
export class RequestAbandonedError extends Error {
  override readonly name = 'RequestAbandonedError';
  readonly why: 'timeout' | 'too-many-pending';

  constructor(why: RequestAbandonedError['why'], message: string) {
    super(message);
    this.why = why;
  }
}
