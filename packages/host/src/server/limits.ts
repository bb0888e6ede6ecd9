/** Bytes that may wait in a client's socket before frames queue in the outbox: about what a slow link takes in a second. */
export const MAX_BACKLOG_BYTES = 1024 * 1024;

/** UTF-16 units that may queue for a client that does not read. Past it the client is closed, and resumes by `reconnect`. */
export const MAX_QUEUED_CHARS = 8 * 1024 * 1024;

/** UTF-16 units of answers that may queue besides: more, because the client asked for them and expects them. */
export const MAX_QUEUED_ANSWER_CHARS = 64 * 1024 * 1024;

/** UTF-16 units of one replay. A client that missed more gets snapshots, usually smaller than such a log. */
export const MAX_REPLAY_CHARS = 8 * 1024 * 1024;

/** UTF-16 units of a client id: it is part of every echo and stored permanently. A UUID has 36. */
export const MAX_CLIENT_ID_CHARS = 256;

/** UTF-16 units of the name of a client's program, which is stored with the client. */
export const MAX_PROGRAM_CHARS = 256;

/** Milliseconds from the connection to its handshake. Clients send it at once; a minute is for the slowest network. */
export const HANDSHAKE_TIMEOUT_MS = 60_000;

/** Connections of one credential that wait for their handshake: as many as start at once when a host has restarted. */
export const MAX_UNINITIALIZED = 128;

/** Channels that one client may be subscribed to: far above what a person looks at, far below what memory allows. */
export const MAX_SUBSCRIPTIONS = 10_000;

/** Names that a client uses and the host does not: as many as channels that it may be subscribed to, and some more. */
export const MAX_REMEMBERED_URIS = 2 * MAX_SUBSCRIPTIONS;

/** Clients whose dispatches are remembered: only those that were connected lately reconnect and repeat something. */
export const MAX_REMEMBERED_CLIENTS = 1000;

/** UTF-16 units of dispatched actions remembered per client: far more than can await their echo. The last always is. */
export const MAX_REMEMBERED_CHARS = 256 * 1024;

/** The same for all clients together, since the last of each may be as long as a frame. */
export const MAX_REMEMBERED_CHARS_IN_ALL = 64 * 1024 * 1024;
