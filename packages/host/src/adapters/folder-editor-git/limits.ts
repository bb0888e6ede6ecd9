/** Files that are read or written at the same time: enough to keep a disk busy, few enough to leave threads to others. */
export const MAX_FILES_AT_ONCE = 8;

/** Bytes of one patch: what a person or a tool can still open; more is read file by file. */
export const MAX_PATCH_BYTES = 64 * 1024 * 1024;

/** Milliseconds for what runs the user's own programs: hooks, signing, a push over a slow line. */
export const USER_GIT_TIMEOUT_MS = 300_000;

/** Names tried for a branch when the wanted one is taken. */
export const MAX_BRANCH_NAMES = 100;

/** Files whose contents are held in memory together while they are put into the store. */
export const MAX_STORED_AT_ONCE = 64;
