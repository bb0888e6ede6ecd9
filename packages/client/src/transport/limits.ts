/** Milliseconds that the other side may take to close its half; then the socket is cut, so that the process can end. */
export const CLOSE_GRACE_MS = 2_000;
