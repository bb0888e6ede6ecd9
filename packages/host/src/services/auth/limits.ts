/** UTF-16 units of a token: signed ones with many claims have a few thousand; headers of more are refused by most servers. */
export const MAX_TOKEN_CHARS = 16 * 1024;

/** Characters of a token below which it is no secret, and taking it out of texts would tear them apart. */
export const MIN_TOKEN_CHARS = 8;

/** Tokens that one connection may give: one for each resource, of which a host has a handful. */
export const MAX_TOKENS_PER_CLIENT = 100;

/** Sessions that a token may be shared with by name; who wants more shares it with all. */
export const MAX_SHARED_SESSIONS = 100;

/** Milliseconds of one timer at most, since longer ones fire at once in Node; what expires later is looked at again. */
export const MAX_TIMER_MS = 24 * 60 * 60 * 1000;
