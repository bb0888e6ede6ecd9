/** UTF-16 units in a token. Signed tokens with many claims have a few thousand; most servers refuse longer headers. */
export const MAX_TOKEN_CHARS = 16 * 1024;

/** Fewest characters in a token. Anything shorter is no secret, and redacting it would garble unrelated text. */
export const MIN_TOKEN_CHARS = 8;

/** Tokens per connection: one per resource, and a host has a handful of those. */
export const MAX_TOKENS_PER_CLIENT = 100;

/** Sessions one token may be shared with by URI; a client that needs more can share it with all. */
export const MAX_SHARED_SESSIONS = 100;

/**
 * Longest single timer in milliseconds: Node fires timers beyond about 24 days at once. Later expiries are checked
 * again.
 */
export const MAX_TIMER_MS = 24 * 60 * 60 * 1000;
