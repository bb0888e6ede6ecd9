/** MCP servers per session, configured and contributed: each may be a process. */
export const MAX_SERVERS = 64;

/** Milliseconds before each automatic restart of a failed server; after the last one only a user can start it. */
export const RESTART_MS = [1_000, 5_000, 25_000];

/** Milliseconds a server must have been ready for its restarts to count from zero again. */
export const STABLE_MS = 60_000;

/** Milliseconds a turn waits for starting servers: most need half a second, a download much longer. */
export const TURN_WAIT_MS = 15_000;

/** Milliseconds between two reads of a server's changed lists. */
export const LIST_CHANGED_MS = 100;

/** Milliseconds between two progress updates that are shown. */
export const PROGRESS_MS = 200;

/** Requests in progress at once on one side channel. */
export const MAX_SIDE_REQUESTS = 32;

/** Questions in one elicitation, choices per question, and UTF-16 units of each text. */
export const MAX_QUESTIONS = 50;
export const MAX_CHOICES = 200;
export const MAX_MESSAGE_CHARS = 4_000;

/** Uses of the model during one tool call, tokens per answer, and UTF-16 units of a request to the model. */
export const MAX_SAMPLES = 20;
export const MAX_SAMPLE_TOKENS = 8_192;
export const MAX_SAMPLE_CHARS = 200_000;

/** UTF-16 units of text in one result; the rest is cut off. */
export const MAX_RESULT_CHARS = 1024 * 1024;
