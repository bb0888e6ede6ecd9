import type { ActionEnvelope, StateAction } from '@moorage/protocol';

/**
 * - `unreachable`: no connection came about; `status` is the HTTP answer to the upgrade, if there was one
 * - `refused`: the host turned us away (HTTP 401 or 403, no common protocol version, or another connection with our
 *   `clientId` took over); trying again is no use
 * - `handshake`: the connection came about, but `initialize` failed on it
 * - `closed`: `close` was called before the handshake was done
 */
export type ConnectFailure = 'unreachable' | 'refused' | 'handshake' | 'closed';

/** Why `connect` failed, or why a client gave up reconnecting. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  readonly kind: ConnectFailure;
  readonly status?: number;

  constructor(kind: ConnectFailure, message: string, options: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.kind = kind;
    if (options.status !== undefined) this.status = options.status;
  }
}

/**
 * - `lost`: the connection dropped while the request was under way; the host may have done it or not
 * - `timeout`: no answer in time; the host may still be working on it
 * - `overflow`: too many requests wait already; this one was not sent
 * - `invalid`: the call makes no sense, and the message says what does; or the host answered with something that is not
 *   this method's result
 * - `closed`: the client is closed
 */
export type RequestFailure = 'lost' | 'timeout' | 'overflow' | 'invalid' | 'closed';

/** Why a request has no result. What the host itself answers as an error comes as the protocol's `RpcError`. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly kind: RequestFailure;
  readonly method: string;

  constructor(kind: RequestFailure, method: string, message: string, cause?: unknown) {
    super(`${method}: ${message}`, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.method = method;
  }
}

/** The host heard a dispatched action and refused it. */
export class RejectedError extends Error {
  override readonly name = 'RejectedError';
  readonly reason: string;
  readonly envelope: ActionEnvelope;

  constructor(envelope: ActionEnvelope) {
    const reason = envelope.rejectionReason ?? '';
    super(`${envelope.action.type} was rejected: ${reason}`);
    this.reason = reason;
    this.envelope = envelope;
  }
}

/**
 * - `dropped`: the connection dropped, and what the host replayed does not contain the action
 * - `replaced`: the host sent a fresh snapshot, which does not tell whether it contains the action
 * - `timeout`: the client was not connected for too long
 * - `overflow`: too many actions wait for their echo already
 * - `released`, `gone`, `closed`: the mirror, its channel or the client came to an end before the echo
 */
export type DeliveryFailure = 'dropped' | 'replaced' | 'timeout' | 'overflow' | 'released' | 'gone' | 'closed';

/** A dispatched action is no longer pending, and what became of it is not known. The client never sends it again. */
export class NotDeliveredError extends Error {
  override readonly name = 'NotDeliveredError';
  readonly kind: DeliveryFailure;
  readonly action: StateAction;
  /** False: the host cannot have seen the action. True: it was sent, and the host may even have accepted it. */
  readonly sent: boolean;

  constructor(kind: DeliveryFailure, action: StateAction, sent: boolean) {
    super(`${action.type} ${sent ? 'may not have been' : 'was not'} delivered: ${WHY[kind]}`);
    this.kind = kind;
    this.action = action;
    this.sent = sent;
  }
}

/** The host did something that the protocol does not allow. The client goes on; the error is for `onError`. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

const WHY: { readonly [K in DeliveryFailure]: string } = {
  dropped: 'the connection dropped and the replay does not contain it',
  replaced: 'a fresh snapshot does not tell whether it contains it',
  timeout: 'there was no connection for too long',
  overflow: 'too many actions are pending',
  released: 'the mirror was released',
  gone: 'the channel is gone',
  closed: 'the client is closed',
};
