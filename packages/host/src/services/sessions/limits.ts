/** Milliseconds between two progress updates: often enough to see movement. */
export const PROGRESS_MS = 250;

/** Turns that `fetchTurns` returns by default and at most (OQ-58). */
export const DEFAULT_TURNS = 50;
export const MAX_TURNS = 200;
