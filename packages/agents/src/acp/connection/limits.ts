/** Milliseconds that an agent may take to start: the slowest real one needs 3 s here, a busy machine ten times as long. */
export const START_MS = 60_000;

/** Milliseconds that a session may take to be made or loaded: long histories are read and MCP servers started. */
export const SESSION_MS = 60_000;

/** Milliseconds of silence in a turn that waits for nobody: agents retry model errors without a word, but not for ever. */
export const SILENCE_MS = 20 * 60_000;

/** Milliseconds of such silence after which the user is told: longer than most models think without a word. */
export const QUIET_MS = 60_000;

/** Milliseconds that an agent gets to end a cancelled turn; then its process is killed. The host waits a bit longer. */
export const CANCEL_MS = 5_000;

/** Requests of an agent that may wait at once; more are refused. */
export const MAX_OPEN_REQUESTS = 64;

/** Milliseconds without a turn after which the process of an agent that can take up its session again is ended. */
export const IDLE_MS = 15 * 60_000;
