/** Bytes of a file whose lines are tracked: nobody reads larger ones line by line. */
export const MAX_FOLLOWED_BYTES = 2 * 1024 * 1024;

/** Lines recorded per comment; of a longer range the first ones, and the others follow them. */
export const MAX_REMEMBERED_LINES = 200;

/** Context lines recorded on either side: enough to tell equal places apart, few enough to survive nearby edits. */
export const CONTEXT_LINES = 5;

/** UTF-16 units of a line that is recorded as it is; longer lines (minified code) are hashed. */
export const MAX_LINE_CHARS = 500;

/** UTF-16 units of the quoted lines that clients and agents see when the lines are gone. */
export const MAX_QUOTE_CHARS = 4_000;

/** Comments in one message to an agent, and UTF-16 units in all: more would crowd out the work. */
export const MAX_RENDERED = 100;
export const MAX_RENDERED_CHARS = 100_000;

/** Milliseconds a new subscriber waits for the files to be read; later results arrive as actions. */
export const SHOWN_AFTER_MS = 2_000;
