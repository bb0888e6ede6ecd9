/** Git processes at once, over all workspaces: two keep a small machine responsive, more only queue for its disk. */
export const MAX_GIT_PROCESSES = 4;

/** Milliseconds for one git command: a first look at a huge tree on a slow disk, and not a hung process for ever. */
export const GIT_TIMEOUT_MS = 120_000;

/** Bytes that one command may print: a million changed files; past it something is wrong. */
export const MAX_GIT_OUTPUT_BYTES = 512 * 1024 * 1024;

/** Pairs of deleted and created files that git compares to find renames; past it they show as deleted and created. */
export const RENAME_LIMIT = 1_000;

/** Milliseconds of quiet after a change before it is looked at: an agent writes files in bursts. */
export const WATCH_QUIET_MS = 100;

/** Milliseconds after which a change is looked at even though more keep coming. */
export const WATCH_PATIENCE_MS = 1_000;
