/** Terminals of one client and of the whole host, those that have ended but are still listed included: each is a process. */
export const MAX_TERMINALS_PER_CLIENT = 256;
export const MAX_TERMINALS = 512;

/** Terminals of tool calls that have ended and are kept per session to be looked at; older ones go. */
export const MAX_ENDED_TOOL_TERMINALS = 10;

/** Milliseconds in which output is gathered into one action, once some has been sent: below what a person can see. */
export const COALESCE_MS = 5;

/** UTF-16 units after which gathered output is sent at once: large enough to be cheap, small enough to interleave. */
export const COALESCE_CHARS = 64 * 1024;

/** UTF-16 units of output that a terminal keeps for late subscribers, and those at which it is cut down to that. */
export const SCROLLBACK_CHARS = 512 * 1024;
export const SCROLLBACK_TRIM_CHARS = 1024 * 1024;

/** UTF-16 units of the normal screen that are kept below a full-screen program: more than any screen holds. */
export const NORMAL_SCREEN_CHARS = 64 * 1024;

/** Milliseconds between looks whether slow subscribers have caught up, and how long output waits for one at most. */
export const CATCH_UP_CHECK_MS = 5;
export const MAX_CATCH_UP_MS = 2_000;

/** UTF-16 units of a report of the shell that are understood; a longer one is dropped. A command line fits easily. */
export const MAX_MARK_CHARS = 64 * 1024;

/** UTF-16 units of a title that a program sets, and of a folder that it reports. */
export const MAX_PROGRAM_TITLE_CHARS = 256;
export const MAX_TEXT_REPORT_CHARS = 4 * 1024;

/** Milliseconds in which changes of titles are gathered into one list: programs may set them in a loop. */
export const CATALOGUE_MS = 100;

/** UTF-16 units of output that an agent gets of a terminal unless it says how many it wants, and the most it can have. */
export const AGENT_OUTPUT_CHARS = 64 * 1024;
export const MAX_AGENT_OUTPUT_CHARS = 1024 * 1024;

/** The size of a terminal for which nobody named one. */
export const DEFAULT_COLS = 80;
export const DEFAULT_ROWS = 24;
