export interface LineLimits {
  readonly maxLineBytes: number;
  readonly closeGraceMs: number;
}

/** UTF-8 bytes of one incoming line, 16 MiB. Bounds the memory one message can claim, as on WebSocket (OQ-104). */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Milliseconds between our end and cutting the stream. Time to read what was sent, not for holding our memory. */
const LINE_CLOSE_GRACE_MS = 2_000;

export const DEFAULT_LINE_LIMITS: LineLimits = {
  maxLineBytes: MAX_LINE_BYTES,
  closeGraceMs: LINE_CLOSE_GRACE_MS,
};
