/** Git processes at once, over all workspaces: two keep a small machine responsive, more only queue for its disk. */
export const MAX_GIT_PROCESSES = 4;

/**
 * Milliseconds for one git command: a first look at a huge tree on a slow disk, and not a hung process for ever. Where disks
 * hang (a network file system), `AHPD_GIT_TIMEOUT_MS` makes turns wait less for it.
 */
export const GIT_TIMEOUT_MS = Number(process.env.AHPD_GIT_TIMEOUT_MS) || 120_000;

/** Bytes that one command may print: a million changed files; past it something is wrong. */
export const MAX_GIT_OUTPUT_BYTES = 512 * 1024 * 1024;
