/**
 * Bytes of a file read or written as a whole. As base64 in one frame, this stays just under what a peer accepts (16
 * MiB), and few source files are larger.
 */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Milliseconds a client has to answer a request of the host (OQ-96). */
export const CLIENT_ANSWER_MS = 10_000;

/** Open access requests per client: a person answers them one by one. */
export const MAX_OPEN_ACCESS_REQUESTS = 16;

/** Grants remembered per client; the oldest go first. */
export const MAX_GRANTS = 256;

/** Characters of a client's error message that are passed on. */
export const MAX_ERROR_CHARS = 500;

/** Concurrent reads per client: as many large answers as may queue for it. Further reads wait until those are sent. */
export const MAX_READS_AT_ONCE = 4;

/** Roots that a refusal names: a sentence must stay one. */
export const MAX_NAMED_ROOTS = 5;
