/** Bytes of file contents that are kept for one folder; the sessions that were used last come first. */
export const MAX_RETAINED_BYTES = 2 * 1024 * 1024 * 1024;

/** Milliseconds for which what was just written stays, referenced or not: it may be about to be. */
export const SPARE_YOUNG_MS = 3_600_000;

/** Milliseconds from the start of the host to the first time: when its users have got what they came for. */
export const FIRST_TIDY_MS = 10 * 60_000;

/** Milliseconds between two times. */
export const TIDY_EVERY_MS = 6 * 3_600_000;
