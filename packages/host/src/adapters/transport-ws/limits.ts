export interface WebSocketLimits {
  readonly maxFrameBytes: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerCredential: number;
  readonly wrongTokensAtOnce: number;
  readonly wrongTokensPerSecond: number;
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

/** Bytes of one incoming message with all its fragments, 16 MiB. Bounds the memory that one message can take (OQ-104). */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** Simultaneous WebSocket clients; more get 503. Twice what one credential may have, so that none takes all places. */
const MAX_CONNECTIONS = 2048;

/** The same for one credential. Twice the 500 subscribers that fan-out is measured with. */
const MAX_CONNECTIONS_PER_CREDENTIAL = 1024;

/** Wrong tokens from one address before it has to wait: a user's clients with an old token, all starting at once. */
const WRONG_TOKENS_AT_ONCE = 100;

/** Wrong tokens per second from one address after that. Clients that retry need less; guessing needs far more. */
const WRONG_TOKENS_PER_SECOND = 10;

/**
 * Sockets that have shown no credential: handshakes in progress, health checks, page loads. If there are more, the oldest
 * is destroyed. A browser opens six for a page, and an honest handshake takes milliseconds.
 */
const MAX_UNPROVEN_SOCKETS = 128;

/** Bytes of a request's headers, 16 KiB: they include cookies of other servers on the same host name. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Milliseconds from the connection until all headers have arrived. Ends clients that send them byte by byte. */
const HEADERS_TIMEOUT_MS = 10_000;

/** Milliseconds until the whole request has arrived; served requests have no body. Not below the headers' timeout. */
const REQUEST_TIMEOUT_MS = 15_000;

/** Milliseconds without a byte in either direction on a plain HTTP socket. Ends clients that do not read the response. */
const IDLE_TIMEOUT_MS = 30_000;

/** Milliseconds between Node's checks of the two request timeouts, and so their possible delay. */
const CHECK_INTERVAL_MS = 1_000;

/** Milliseconds between pings: below the minute after which common proxies and NATs drop an idle connection. */
const PING_INTERVAL_MS = 30_000;

/** Pings in a row without a sign of life until a client counts as gone. Two, since one may be lost when a network changes. */
const MAX_UNANSWERED_PINGS = 2;

/**
 * The same while pings wait behind earlier output: 5 minutes in total. Node reports progress only per write, and a phone may
 * need minutes for one long snapshot. If it were disconnected, it would start over and never get the snapshot.
 */
const MAX_STALLED_PINGS = 10;

/** Milliseconds for the client to answer a close before the socket is destroyed. Must fit into the 5 s after SIGTERM. */
const CLOSE_GRACE_MS = 2_000;

export const DEFAULT_WEBSOCKET_LIMITS: WebSocketLimits = {
  maxFrameBytes: MAX_FRAME_BYTES,
  maxConnections: MAX_CONNECTIONS,
  maxConnectionsPerCredential: MAX_CONNECTIONS_PER_CREDENTIAL,
  wrongTokensAtOnce: WRONG_TOKENS_AT_ONCE,
  wrongTokensPerSecond: WRONG_TOKENS_PER_SECOND,
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
