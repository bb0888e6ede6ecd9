/** Milliseconds between SIGHUP and SIGKILL: shells need some to pass the signal on and to write their history. */
export const KILL_GRACE_MS = 1_000;

/** Bytes of input queued for a program that does not read: enough for a large paste. */
export const MAX_WAITING_INPUT_BYTES = 4 * 1024 * 1024;

/** Milliseconds before input is retried on a full terminal: a program that reads has emptied it by then. */
export const INPUT_RETRY_MS = 5;

/**
 * Milliseconds between checks whether a program with paused output has ended. The library discards unread output 200 ms
 * after the end, so this must be well below.
 */
export const PAUSED_CHECK_MS = 40;

/** Bytes read after a program has ended. Systems buffer far less of a terminal's output. */
export const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
