/** Terminals per client and in the whole host, including those whose program has ended: each is a process. */
export const MAX_TERMINALS_PER_CLIENT = 256;
export const MAX_TERMINALS = 512;

/** Finished terminals of tool calls kept per session for users to look at; older ones are disposed. */
export const MAX_ENDED_TOOL_TERMINALS = 10;

/** Milliseconds of output gathered into one action, once some has been sent: too short to notice. */
export const COALESCE_MS = 5;

/** UTF-16 units after which gathered output is sent at once: large enough to be cheap, small enough to interleave. */
export const COALESCE_CHARS = 64 * 1024;

/** UTF-16 units of output kept for late subscribers, and the size at which output is trimmed to that. */
export const SCROLLBACK_CHARS = 512 * 1024;
export const SCROLLBACK_TRIM_CHARS = 1024 * 1024;

/** UTF-16 units of the normal screen kept beneath a full-screen program: more than any screen holds. */
export const NORMAL_SCREEN_CHARS = 64 * 1024;

/** Milliseconds between checks whether slow subscribers have caught up, and the longest that output waits for one. */
export const CATCH_UP_CHECK_MS = 5;
export const MAX_CATCH_UP_MS = 2_000;

/** UTF-16 units of a shell integration mark; longer ones are dropped. A command line fits easily. */
export const MAX_MARK_CHARS = 64 * 1024;

/** UTF-16 units of a title set by a program, and of a folder reported by it. */
export const MAX_PROGRAM_TITLE_CHARS = 256;
export const MAX_TEXT_REPORT_CHARS = 4 * 1024;

/** Milliseconds of title changes gathered into one list: programs may set titles in a loop. */
export const CATALOGUE_MS = 100;

/** UTF-16 units of terminal output an agent gets by default, and at most. */
export const AGENT_OUTPUT_CHARS = 64 * 1024;
export const MAX_AGENT_OUTPUT_CHARS = 1024 * 1024;

/** The default size of a terminal. */
export const DEFAULT_COLS = 80;
export const DEFAULT_ROWS = 24;
