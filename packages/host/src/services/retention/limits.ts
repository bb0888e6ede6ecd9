/** Bytes of file contents that are kept for one folder; the sessions that were used last come first. */
export const MAX_RETAINED_BYTES = 2 * 1024 * 1024 * 1024;

/** Milliseconds for which what was just written stays, referenced or not: it may be about to be. */
export const SPARE_YOUNG_MS = 3_600_000;

/** Milliseconds from the start of the host to the first time: when its users have got what they came for. */
export const FIRST_TIDY_MS = 10 * 60_000;

/** Milliseconds between two times. */
export const TIDY_EVERY_MS = 6 * 3_600_000;

/** Milliseconds that a look may be off its time before the clock is thought to have jumped, or the machine to have slept. */
export const MAX_DRIFT_MS = 30 * 60_000;

/** Milliseconds between two looks, in whatever life of the host, above which the clock may have jumped in between. */
export const MAX_GAP_MS = 2 * 24 * 3_600_000;

/** Milliseconds for which the clock must have run without a jump before anything is deleted because of what it says. */
export const TRUST_AFTER_MS = 24 * 3_600_000;
