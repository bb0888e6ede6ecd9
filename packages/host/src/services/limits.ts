/** Milliseconds until the host says again what it could not store: long enough not to hurt a disk that is in trouble. */
export const STORE_RETRY_MS = 1_000;
