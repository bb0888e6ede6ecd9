/** Requests of an agent that may wait for an answer at once; more are refused. */
export const MAX_OPEN_REQUESTS = 64;
