/** Milliseconds between hanging up and killing: shells need a few to pass it on and to write their history. */
export const KILL_GRACE_MS = 1_000;

/** Bytes of input that may wait for a program which does not read: a large paste, but not a program's memory. */
export const MAX_WAITING_INPUT_BYTES = 4 * 1024 * 1024;

/** Milliseconds after which a terminal that was full is tried again: a program that reads has emptied it by then. */
export const INPUT_RETRY_MS = 5;

/**
 * Milliseconds between looks whether a program whose output nobody reads has ended. The library throws away what is
 * unread 200 ms after the end, so this must be well below.
 */
export const PAUSED_CHECK_MS = 40;

/** Bytes that are read of a program that has ended; a system keeps far less of a terminal's output. */
export const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
