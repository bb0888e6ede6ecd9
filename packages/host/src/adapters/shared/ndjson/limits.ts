export interface LineLimits {
  readonly maxLineBytes: number;
  readonly closeGraceMs: number;
}

/** UTF-8 bytes of one incoming line, 16 MiB. Bounds the memory that one message can take, as on WebSocket (OQ-104). */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Milliseconds between ending the output and destroying the stream: time for the peer to read what was sent. */
const LINE_CLOSE_GRACE_MS = 2_000;

export const DEFAULT_LINE_LIMITS: LineLimits = {
  maxLineBytes: MAX_LINE_BYTES,
  closeGraceMs: LINE_CLOSE_GRACE_MS,
};
