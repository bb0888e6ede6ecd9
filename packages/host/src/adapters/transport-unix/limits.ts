import { DEFAULT_LINE_LIMITS, type LineLimits } from '../shared/ndjson/limits.js';

export interface UnixLimits extends LineLimits {
  readonly maxConnections: number;
}

/** Clients at once on one socket file. Far above what one person opens, far below what file descriptors allow. */
const MAX_UNIX_CONNECTIONS = 256;

/**
 * Bytes of the path. The system holds 103 (macOS) or 107 (Linux), and cuts or refuses more; nine are for the private
 * folder next to it in which the socket is made.
 */
export const MAX_SOCKET_PATH_BYTES = 94;

export const DEFAULT_UNIX_LIMITS: UnixLimits = { ...DEFAULT_LINE_LIMITS, maxConnections: MAX_UNIX_CONNECTIONS };
