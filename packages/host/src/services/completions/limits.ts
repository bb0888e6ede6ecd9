/** Items of one answer, and of one source: more nobody scrolls through. */
export const MAX_ITEMS = 50;
export const MAX_ITEMS_OF_SOURCE = 30;

/** UTF-16 units of the word that is completed; more is no name. */
export const MAX_WORD_CHARS = 256;

/** Milliseconds that a source may take. What is not there by then is there for the next keystroke. */
export const ANSWER_MS = 1_000;

/** Milliseconds that an answer waits for the names of files to be read again; the old ones serve until then. */
export const FRESH_MS = 150;

/** Folders whose names are kept in memory, and milliseconds without a question after which they are dropped. */
export const MAX_INDEXES = 8;
export const INDEX_IDLE_MS = 10 * 60_000;

/** Changed files that are looked into for symbols, bytes of each, symbols of one, and of all. */
export const MAX_SYMBOL_FILES = 100;
export const MAX_SYMBOL_BYTES = 512 * 1024;
export const MAX_SYMBOLS_OF_FILE = 500;
export const MAX_SYMBOLS = 5_000;

/** UTF-16 units of a line that is looked at for a declaration: longer ones are generated. */
export const MAX_DECLARATION_CHARS = 300;

/** Milliseconds for which symbols and changed files are not looked for again. */
export const SYMBOLS_MS = 2_000;
