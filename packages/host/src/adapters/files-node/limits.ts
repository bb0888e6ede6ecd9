/** Entries of one folder that are listed: an answer of a few megabytes. */
export const MAX_LIST_ENTRIES = 50_000;

/** Entries of one recursive copy or removal: far above a source tree with its packages, and an end for what never ends. */
export const MAX_TREE_ENTRIES = 1_000_000;

/** Folders inside folders: each is held open while its children are worked on, and a process has about 1,000 files. */
export const MAX_TREE_DEPTH = 200;

/** Bytes that are copied at once. */
export const COPY_CHUNK_BYTES = 1024 * 1024;
