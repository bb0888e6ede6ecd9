/** Bytes of a file whose lines are followed: in larger ones nobody reads line by line. */
export const MAX_FOLLOWED_BYTES = 2 * 1024 * 1024;

/** Lines of a comment's place that are remembered; of a longer one the first, its other lines follow them. */
export const MAX_REMEMBERED_LINES = 200;

/** Lines remembered on either side: enough to tell two equal places apart, few enough to survive edits nearby. */
export const CONTEXT_LINES = 5;

/** UTF-16 units of a line that are remembered as they are; of a longer one (minified code) a hash. */
export const MAX_LINE_CHARS = 500;

/** UTF-16 units of the lines that clients and agents are shown when they are gone. */
export const MAX_QUOTE_CHARS = 4_000;

/** Comments that one message carries to an agent, and the UTF-16 units of all of them: more would crowd out the work. */
export const MAX_RENDERED = 100;
export const MAX_RENDERED_CHARS = 100_000;

/** Milliseconds that a subscriber waits for the files to be looked at; what is found later it is told. */
export const SHOWN_AFTER_MS = 2_000;
