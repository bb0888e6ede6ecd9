/** Milliseconds the other side may take to end its half; after that the process need not stay for it. */
export const CLOSE_GRACE_MS = 2_000;
