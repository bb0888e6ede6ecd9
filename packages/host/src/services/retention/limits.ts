/** Bytes of file contents kept per folder; the most recently used sessions come first. */
export const MAX_RETAINED_BYTES = 2 * 1024 * 1024 * 1024;

/** Milliseconds for which new contents are kept even if nothing refers to them yet: something may be about to. */
export const SPARE_YOUNG_MS = 3_600_000;

/** Milliseconds from the host's start to its first tidy-up, so that it does not slow down what users came for. */
export const FIRST_TIDY_MS = 10 * 60_000;

/** Milliseconds between two tidy-ups. */
export const TIDY_EVERY_MS = 6 * 3_600_000;

/**
 * Milliseconds by which a timer may be off before the clock counts as having jumped, or the machine as having slept.
 */
export const MAX_DRIFT_MS = 30 * 60_000;

/** Milliseconds between two clock readings, also across restarts, above which the clock may have jumped. */
export const MAX_GAP_MS = 2 * 24 * 3_600_000;

/** Milliseconds without a jump before the clock is trusted enough to delete by. */
export const TRUST_AFTER_MS = 24 * 3_600_000;
