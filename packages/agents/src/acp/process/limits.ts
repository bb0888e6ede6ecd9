/** Milliseconds between asking a process to end and killing its group: real agents end within 2.5 s. */
export const TERM_GRACE_MS = 3_000;

/** UTF-16 units of standard error that are kept, the newest: enough to see why an agent ended. */
export const MAX_STDERR_CHARS = 16 * 1024;

/** Bytes of one message: a whole file with its diff, or an image. A longer one ends the connection. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;
