/** Branches that one answer to what is typed holds: what fits into a list that people read. */
export const MAX_COMPLETIONS = 50;

/** Branches that are offered before anything is typed. */
export const SEED_BRANCHES = 10;

/** Characters of a text to look for: longer than any name of a branch. */
export const MAX_QUERY_CHARS = 300;

/** Characters of the `_meta` of a new session, as JSON: notes of a client, which every list and snapshot carries along. */
export const MAX_META_CHARS = 64 * 1024;
