/** Servers of one session, configured and contributed: each may be a process. */
export const MAX_SERVERS = 64;

/** Milliseconds before each automatic restart of a server that failed; after the last one only a user starts it again. */
export const RESTART_MS = [1_000, 5_000, 25_000];

/** Milliseconds that a server must have run for its next failure to count as the first one. */
export const STABLE_MS = 60_000;

/** Milliseconds that a turn waits for servers that still start: most need half a second, a download much longer. */
export const TURN_WAIT_MS = 15_000;

/** Milliseconds between two times that a server's changed lists are looked at, whatever it says meanwhile. */
export const LIST_CHANGED_MS = 100;

/** Milliseconds between two reports of a call's progress that are shown. */
export const PROGRESS_MS = 200;

/** Requests on one side channel that may be under way at once. */
export const MAX_SIDE_REQUESTS = 32;

/** Questions in one form of a server, choices of one question, and UTF-16 units of what a form says. */
export const MAX_QUESTIONS = 50;
export const MAX_CHOICES = 200;
export const MAX_MESSAGE_CHARS = 4_000;

/** Times that one call of a tool may use the model, tokens of one answer, and UTF-16 units of what the model is told. */
export const MAX_SAMPLES = 20;
export const MAX_SAMPLE_TOKENS = 8_192;
export const MAX_SAMPLE_CHARS = 200_000;

/** UTF-16 units of text, in all, that a result shows; what is longer is cut. */
export const MAX_RESULT_CHARS = 1024 * 1024;
