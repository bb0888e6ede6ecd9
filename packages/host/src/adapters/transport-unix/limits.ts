import { DEFAULT_LINE_LIMITS, type LineLimits } from '../shared/ndjson/limits.js';

export interface UnixLimits extends LineLimits {
  readonly maxConnections: number;
}

/** Simultaneous clients on one socket file: far more than one person opens, far fewer than file descriptors allow. */
const MAX_UNIX_CONNECTIONS = 256;

/**
 * Bytes of the path. Systems allow 103 (macOS) or 107 (Linux), and truncate or reject longer paths. Nine of them are for the
 * private folder beside it in which the socket is created.
 */
export const MAX_SOCKET_PATH_BYTES = 94;

export const DEFAULT_UNIX_LIMITS: UnixLimits = { ...DEFAULT_LINE_LIMITS, maxConnections: MAX_UNIX_CONNECTIONS };
