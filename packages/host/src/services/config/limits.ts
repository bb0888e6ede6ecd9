/** Branches in one answer: as many as people read in a list. */
export const MAX_COMPLETIONS = 50;

/** Branches offered before anything is typed. */
export const SEED_BRANCHES = 10;

/** Characters in a query: longer than any branch name. */
export const MAX_QUERY_CHARS = 300;

/**
 * Characters of a new session's `_meta` as JSON. It holds notes of the client, and every list and snapshot carries it.
 */
export const MAX_META_CHARS = 64 * 1024;
