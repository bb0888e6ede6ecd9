/** UTF-16 units of a definition as JSON: a long instruction, and nothing that belongs into a file. */
export const MAX_DEFINITION_CHARS = 64 * 1024;

export const MAX_TITLE_CHARS = 200;

/** Triggers of one automation. */
export const MAX_TRIGGERS = 16;

/** Ways in which one automation can end. */
export const MAX_CONDITIONS = 8;

/** UTF-16 units of a cron expression, a time zone, an id. */
export const MAX_WORD_CHARS = 100;

/** Runs of one automation that may be under way at once: more would be an endless loop, or wait for somebody who is away. */
export const MAX_RUNS_UNDER_WAY = 4;

/** Runs of one automation that are kept. */
export const RUN_HISTORY_LIMIT = 100;

/** Runs that the entry of an automation shows, and that each page of older ones has. */
export const RUNS_PAGE = 10;

/** Requests for a run that are remembered by their id, for clients that repeat one because they missed the answer. */
export const MAX_REQUESTS = 32;

/** Milliseconds after which a run that was due counts as missed: a busy host is late by less. */
export const LATE_MS = 60_000;

/** Milliseconds between two looks at the clock: machines sleep, and clocks are corrected. */
export const MAX_SLEEP_MS = 60_000;
