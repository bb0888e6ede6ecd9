/**
 * Git processes that may be starting at once, over all folders. A small machine stays responsive with these; more would
 * only queue for its disk.
 */
export const MAX_GIT_PROCESSES = 4;

/** Git processes at once for one folder: as many as a scan runs at the same time. */
export const MAX_GIT_PER_FOLDER = 3;

/** Milliseconds after which a git no longer counts against the others: it hangs, or mostly waits for a disk. */
export const SLOW_GIT_MS = 2_000;

/**
 * Milliseconds for one git command: enough for the first scan of a huge tree on a slow disk, but a hung process does not
 * stay for ever. It may wait for its turn as long: by then those before it have ended or were killed. Where disks hang
 * (network file systems), a lower `MOORAGE_GIT_TIMEOUT_MS` makes turns wait less.
 */
export const GIT_TIMEOUT_MS = Number(process.env.MOORAGE_GIT_TIMEOUT_MS) || 120_000;

/** Bytes that one command may print: a million changed files. Beyond that something is wrong. */
export const MAX_GIT_OUTPUT_BYTES = 512 * 1024 * 1024;
