export interface WebSocketLimits {
  readonly maxFrameBytes: number;
  readonly maxConnections: number;
  readonly maxUnprovenSockets: number;
  readonly maxHeaderBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly checkIntervalMs: number;
  readonly pingIntervalMs: number;
  readonly maxUnansweredPings: number;
  readonly maxStalledPings: number;
  readonly closeGraceMs: number;
}

/** Bytes of one incoming message, fragments together, 16 MiB. Bounds the memory one message can claim (OQ-104). */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** WebSocket clients at once; more get 503. Twice the 500 subscribers that fan-out is measured with. */
const MAX_CONNECTIONS = 1024;

/**
 * Sockets that have shown no credential: handshakes under way, health checks, page loads. Past it the oldest is cut. A
 * browser opens six for a page; an honest handshake takes milliseconds.
 */
const MAX_UNPROVEN_SOCKETS = 128;

/** Bytes of a request's header lines, 16 KiB: cookies of other servers on the same host name come along. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Milliseconds from the connection until all header lines are there. Ends those who send them byte by byte. */
const HEADERS_TIMEOUT_MS = 10_000;

/** Milliseconds until the whole request is there; no request we answer has a body. Not below the headers' timeout. */
const REQUEST_TIMEOUT_MS = 15_000;

/** Milliseconds without a byte either way on a plain HTTP socket. Ends those who ask and then do not read. */
const IDLE_TIMEOUT_MS = 30_000;

/** Milliseconds between Node's looks at the two request timeouts; how late they may strike. */
const CHECK_INTERVAL_MS = 1_000;

/** Milliseconds between pings, 30 s: below the minute after which common proxies and NATs forget an idle connection. */
const PING_INTERVAL_MS = 30_000;

/** Pings in a row without a sign of life; then the peer is dead. Two, since one may fall into a change of network. */
const MAX_UNANSWERED_PINGS = 2;

/**
 * The same while our pings wait behind what we sent before, 5 minutes in all. Node tells progress per write only, and a
 * phone may need minutes for one long snapshot; cut, it would start over and never get it.
 */
const MAX_STALLED_PINGS = 10;

/** Milliseconds for the other side to answer a close; then the socket is cut. Leaves SIGTERM time within its 5 s. */
const CLOSE_GRACE_MS = 2_000;

export const DEFAULT_WEBSOCKET_LIMITS: WebSocketLimits = {
  maxFrameBytes: MAX_FRAME_BYTES,
  maxConnections: MAX_CONNECTIONS,
  maxUnprovenSockets: MAX_UNPROVEN_SOCKETS,
  maxHeaderBytes: MAX_HEADER_BYTES,
  headersTimeoutMs: HEADERS_TIMEOUT_MS,
  requestTimeoutMs: REQUEST_TIMEOUT_MS,
  idleTimeoutMs: IDLE_TIMEOUT_MS,
  checkIntervalMs: CHECK_INTERVAL_MS,
  pingIntervalMs: PING_INTERVAL_MS,
  maxUnansweredPings: MAX_UNANSWERED_PINGS,
  maxStalledPings: MAX_STALLED_PINGS,
  closeGraceMs: CLOSE_GRACE_MS,
};
