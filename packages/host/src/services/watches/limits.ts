/** Watches per client: each may cost the system a handle for every folder below it. */
export const MAX_WATCHES = 64;

/** Milliseconds of changes in one batch: a checkout makes few messages, and nobody notices the delay. */
export const BATCH_MS = 50;

/** Changes in one batch. More are reported as a change of the root: anything below may have changed. */
export const MAX_BATCH = 1_000;

/** Milliseconds after which a watch without subscribers is released (OQ-94). */
export const UNUSED_MS = 60_000;

/** Milliseconds a client may be disconnected before its watches are released, as for its tools (OQ-66, OQ-94). */
export const AWAY_MS = 30_000;

/** Globs per watch, and characters per glob: every change is matched against each. */
export const MAX_GLOBS = 100;
export const MAX_GLOB_CHARS = 1_000;
