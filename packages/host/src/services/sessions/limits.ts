/** Milliseconds between two words on how far something is: enough to see it move. */
export const PROGRESS_MS = 250;

/** Turns that `fetchTurns` gives by default and at the most (OQ-58). */
export const DEFAULT_TURNS = 50;
export const MAX_TURNS = 200;
