/** Watches of one client: each may cost the system a handle for every folder below it. */
export const MAX_WATCHES = 64;

/** Milliseconds in which changes gather to one batch: a checkout is few messages, and a person notices nothing. */
export const BATCH_MS = 50;

/** Changes in one batch. More are told as one: that anything below may have changed. */
export const MAX_BATCH = 1_000;

/** Milliseconds after which a watch that nobody subscribed to is released (OQ-94). */
export const UNUSED_MS = 60_000;

/** Milliseconds that the client may be away before its watches are released: those of its tools (OQ-66, OQ-94). */
export const AWAY_MS = 30_000;

/** Globs of one watch, and what one of them may be: each change is held against each. */
export const MAX_GLOBS = 100;
export const MAX_GLOB_CHARS = 1_000;
