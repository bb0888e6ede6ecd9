/** Files of a folder that are named: with more, what is not among them is found by typing its path. */
export const MAX_FILES = 200_000;

/** Folders that are looked into without git, and how deep: a tree with more is not what a person works on. */
export const MAX_FOLDERS = 50_000;
export const MAX_DEPTH = 64;

/** Bytes of an ignore file that are read. */
export const MAX_IGNORE_BYTES = 64 * 1024;

/** Folders that are read at once. */
export const READS_AT_ONCE = 16;
