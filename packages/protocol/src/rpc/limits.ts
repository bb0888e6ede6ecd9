export interface RpcLimits {
  readonly maxFrameChars: number;
  readonly maxJsonDepth: number;
  readonly maxPendingRequests: number;
  readonly maxInflightRequests: number;
}

/** UTF-16 code units of one incoming frame. Bounds the memory one message can claim; the protocol names none (OQ-104). */
export const MAX_FRAME_CHARS = 16 * 1024 * 1024;

/** Nested brackets of one incoming frame, its own braces included. Keeps recursive readers of `params` off the stack end. */
export const MAX_JSON_DEPTH = 128;

/** Outgoing requests without an answer. A silent other side must not grow our memory forever. */
export const MAX_PENDING_REQUESTS = 1024;

/** Incoming requests without an answer. One connection must not occupy all of the host's handlers. */
export const MAX_INFLIGHT_REQUESTS = 256;

export const DEFAULT_LIMITS: RpcLimits = {
  maxFrameChars: MAX_FRAME_CHARS,
  maxJsonDepth: MAX_JSON_DEPTH,
  maxPendingRequests: MAX_PENDING_REQUESTS,
  maxInflightRequests: MAX_INFLIGHT_REQUESTS,
};
