import type { EnumValue } from '../common/schema.js';

/**
 * Why a connection ended. The numbers are those of WebSocket close frames (RFC 6455, section 7.4); other carriers use the
 * same ones for what they report. 4000 to 4999 are free for applications: those are ours.
 */
export const CloseCodes = {
  /** The connection was no longer needed. */
  Normal: 1000,
  /** The host is stopping. Reconnect: it may be back soon. */
  GoingAway: 1001,
  /** The other side broke the carrier's own protocol. */
  ProtocolError: 1002,
  /** A binary frame; only text is understood. */
  UnsupportedData: 1003,
  /** Never sent: what is reported for a close frame that named no code. */
  NoCode: 1005,
  /** Never sent: what is reported for a connection that broke without a close frame. */
  Abnormal: 1006,
  /** Text that is not UTF-8. */
  InvalidText: 1007,
  /** A message that the receiver does not put up with, such as one in too many pieces; or no handshake in time. */
  PolicyViolation: 1008,
  /** A message longer than the receiver accepts. Sending it again is no use. */
  MessageTooBig: 1009,
  /** A fault of the side that closed. Reconnect to resume. */
  InternalError: 1011,
  /** The client fell too far behind, or must start from a snapshot. Reconnect to get a replay or a snapshot. */
  TryAgainLater: 1013,
  /** A newer connection with the same client id took over. Stay away: two that come back push each other out for ever. */
  Replaced: 4001,
  /** The client offered no protocol version that the host speaks. */
  UnsupportedVersion: 4002,
} as const;
export type CloseCode = EnumValue<typeof CloseCodes>;
