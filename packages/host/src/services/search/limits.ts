/** Milliseconds after the start before old conversations are looked at: clients that wait for the host come first. */
export const FIRST_COMPARISON_MS = 2_000;

/** Milliseconds between two slices of work. */
export const PAUSE_MS = 20;

/** Turns that are put into the index at once, in a few milliseconds. */
export const TURNS_AT_ONCE = 25;

/** Characters of a turn that can be found. What comes later in a long one is rarely what somebody remembers. */
export const MAX_TURN_CHARS = 32_000;

/** Sessions on a page, and at most. */
export const DEFAULT_FOUND = 20;
export const MAX_FOUND = 50;

/** Pages go no further: whoever needs more types another word. */
export const MAX_OFFSET = 1_000;
