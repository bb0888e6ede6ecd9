/** Items in one answer, and from one source: nobody scrolls through more. */
export const MAX_ITEMS = 50;
export const MAX_ITEMS_OF_SOURCE = 30;

/** UTF-16 units in the word to complete; anything longer is not a name. */
export const MAX_WORD_CHARS = 256;

/** Milliseconds that a source may take. A slower source has its answer ready for the next keystroke. */
export const ANSWER_MS = 1_000;

/** Milliseconds that an answer waits for file names to be read again; after that it uses the old ones. */
export const FRESH_MS = 150;

/** Folders whose file names are kept in memory, and milliseconds of disuse after which one is dropped. */
export const MAX_INDEXES = 8;
export const INDEX_IDLE_MS = 10 * 60_000;

/** Changed files searched for symbols, bytes read of each, symbols taken from one file, and in all. */
export const MAX_SYMBOL_FILES = 100;
export const MAX_SYMBOL_BYTES = 512 * 1024;
export const MAX_SYMBOLS_OF_FILE = 500;
export const MAX_SYMBOLS = 5_000;

/** UTF-16 units in a line searched for a declaration: longer lines are generated code. */
export const MAX_DECLARATION_CHARS = 300;

/** Milliseconds for which the symbols of a session are cached. */
export const SYMBOLS_MS = 2_000;
