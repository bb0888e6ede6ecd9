/** Bytes of one patch. A larger one could hardly be opened; its files are better read one by one. */
export const MAX_PATCH_BYTES = 64 * 1024 * 1024;

/** Milliseconds for a git command that may run the user's own programs: hooks, signing, a push over a slow line. */
export const USER_GIT_TIMEOUT_MS = 300_000;

/** Names tried for a branch when the wanted one is taken. */
export const MAX_BRANCH_NAMES = 100;

/** Files whose contents are in memory at the same time while they are added to the host's repository. */
export const MAX_STORED_AT_ONCE = 64;

/** Commits that are rewritten when a change goes into an earlier one: each takes a few runs of git. */
export const MAX_REWRITTEN_COMMITS = 50;
