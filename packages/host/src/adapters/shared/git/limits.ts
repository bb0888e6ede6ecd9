/**
 * Git processes at once, over all workspaces. A small machine stays responsive with these; more would only queue for its
 * disk.
 */
export const MAX_GIT_PROCESSES = 4;

/**
 * Milliseconds for one git command: enough for a first look at a huge tree on a slow disk, but a hung process does not
 * stay for ever. Where disks hang (network file systems), a lower `AHPD_GIT_TIMEOUT_MS` makes turns wait less.
 */
export const GIT_TIMEOUT_MS = Number(process.env.AHPD_GIT_TIMEOUT_MS) || 120_000;

/** Bytes that one command may print: a million changed files. Beyond that something is wrong. */
export const MAX_GIT_OUTPUT_BYTES = 512 * 1024 * 1024;
