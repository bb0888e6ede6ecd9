/** Milliseconds between two progress updates: often enough to see movement. */
export const PROGRESS_MS = 250;

/** Sessions that may be in no list because they have no turn yet: more than all windows of a person show at once. */
export const MAX_PROVISIONAL = 200;

/** Milliseconds after which a session that never had a turn is abandoned: a window may be left open over night. */
export const ABANDONED_MS = 24 * 3_600_000;

/** Milliseconds between two looks for abandoned sessions. */
export const ABANDONED_SWEEP_MS = 3_600_000;

/** Turns that `fetchTurns` returns by default and at most (OQ-58). */
export const DEFAULT_TURNS = 50;
export const MAX_TURNS = 200;
