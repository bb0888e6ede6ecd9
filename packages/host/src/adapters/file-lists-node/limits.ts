/** Files listed for one folder. In a larger one, the others can only be reached by typing their paths. */
export const MAX_FILES = 200_000;

/** Folders walked without git, and their maximum depth. Nobody works on a larger tree without version control. */
export const MAX_FOLDERS = 50_000;
export const MAX_DEPTH = 64;

/** Bytes read of one ignore file. */
export const MAX_IGNORE_BYTES = 64 * 1024;

/** Folders read at the same time. */
export const READS_AT_ONCE = 16;
