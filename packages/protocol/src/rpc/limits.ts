/** What one end of a connection puts up with from the other. */
export interface RpcLimits {
  /** UTF-16 code units of one incoming frame; a longer one closes the connection. */
  readonly maxFrameChars: number;
  /** Nested brackets of one incoming frame, its own braces included. */
  readonly maxJsonDepth: number;
  /** Our requests that wait for an answer. */
  readonly maxPendingRequests: number;
  /** The other side's requests that wait for our answer. */
  readonly maxInflightRequests: number;
}

/** The protocol names no limits (OQ-104); these are far above what honest peers need. */
export const DEFAULT_LIMITS: RpcLimits = {
  maxFrameChars: 16 * 1024 * 1024, // bounds the memory that one message can claim
  maxJsonDepth: 128, // keeps those who read `params` recursively from running out of stack
  maxPendingRequests: 1024, // a peer that never answers must not grow our memory for ever
  maxInflightRequests: 256, // one connection must not occupy all of a host's handlers
};
