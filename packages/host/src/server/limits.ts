/** Bytes that may wait in a client's socket before frames queue up here instead: about what a slow link takes in a second. */
export const MAX_BACKLOG_BYTES = 1024 * 1024;

/** UTF-16 units that may queue for a client that does not read; past it the client is closed and resumes by reconnect. */
export const MAX_QUEUED_CHARS = 8 * 1024 * 1024;

/** UTF-16 units of answers that may queue besides: the client asked for them, and for no more than it can wait for. */
export const MAX_QUEUED_ANSWER_CHARS = 64 * 1024 * 1024;

/** UTF-16 units of one replay; who missed more gets snapshots, which is what a log of that size comes down to. */
export const MAX_REPLAY_CHARS = 8 * 1024 * 1024;

/** UTF-16 units of a client id, which comes back in every echo and is remembered for good; a UUID has 36. */
export const MAX_CLIENT_ID_CHARS = 256;

/** Channels one client may be subscribed to at once: far above what a person looks at, far below what memory allows. */
export const MAX_SUBSCRIPTIONS = 10_000;

/** Accepted dispatches remembered per client, and clients that are: what is sent again was sent just before a break. */
export const MAX_REMEMBERED_DISPATCHES = 1000;
export const MAX_REMEMBERED_CLIENTS = 1000;

/** UTF-16 units of dispatched actions kept per client of another version, for its echoes: what is under way is far less. */
export const MAX_REMEMBERED_ECHO_CHARS = 256 * 1024;
