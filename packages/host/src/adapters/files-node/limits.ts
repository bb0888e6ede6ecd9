/** Entries listed of one folder: a response of a few megabytes. */
export const MAX_LIST_ENTRIES = 50_000;

/** Entries of one recursive copy or removal. Far more than a source tree with its packages has, but it stops a runaway. */
export const MAX_TREE_ENTRIES = 1_000_000;

/** Nested folders. Each stays open while its children are processed, and a process may open about 1,000 files. */
export const MAX_TREE_DEPTH = 200;

/** Bytes copied with one read and write. */
export const COPY_CHUNK_BYTES = 1024 * 1024;
