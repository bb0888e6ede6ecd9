export interface BusTransportLimits {
  /** Bytes of one message, in UTF-8. */
  readonly maxMessageBytes: number;
  /** Bytes that one side sends before the other has said that it took some of them. */
  readonly windowBytes: number;
  /** Milliseconds between signs of life. */
  readonly heartbeatMs: number;
  /** Milliseconds without a sign of life after which the other side is taken for gone. */
  readonly silenceMs: number;
  /** Milliseconds for the other side to take what was sent before a close. */
  readonly closeGraceMs: number;
  /** Connections at a time. */
  readonly maxConnections: number;
}

export const DEFAULT_BUS_TRANSPORT_LIMITS: BusTransportLimits = {
  maxMessageBytes: 16 * 1024 * 1024, // as on WebSocket
  windowBytes: 1024 * 1024, // at 100 ms there and back 10 MB/s; a client that does not read costs the gateway no more
  heartbeatMs: 5_000,
  silenceMs: 15_000,
  closeGraceMs: 2_000,
  maxConnections: 10_000,
};

/**
 * Those of clients that share a way. It has signs of life of its own, and they end with it, so that theirs may be rare: those of
 * thousands would be work for the host although nothing happens.
 */
export function whereShared(limits: BusTransportLimits): BusTransportLimits {
  return { ...limits, heartbeatMs: RARER * limits.heartbeatMs, silenceMs: RARER * limits.silenceMs };
}

const RARER = 12; // a minute

/** Bytes of data in one packet: small enough that the connections which share a bus take turns. */
export const PACKET_BYTES = 64 * 1024;
