/**
 * Bytes of a file that is read or written whole. As base64 in one frame that is just under what a peer accepts
 * (16 MiB), and few sources are larger.
 */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Milliseconds that a client gets to answer what the host asks of it (OQ-96). */
export const CLIENT_ANSWER_MS = 10_000;

/** Requests for access that one client may have open: a person answers them one by one. */
export const MAX_OPEN_ACCESS_REQUESTS = 16;

/** Grants that are remembered of one client; the oldest go first. */
export const MAX_GRANTS = 256;

/** Characters of an error of a client that are passed on. */
export const MAX_ERROR_CHARS = 500;

/** Reads of one client at once: as many large answers as may queue for it. Others wait until the network took those. */
export const MAX_READS_AT_ONCE = 4;
