/** Milliseconds before the host retries what it could not store: long enough to be gentle on a failing disk. */
export const STORE_RETRY_MS = 1_000;
