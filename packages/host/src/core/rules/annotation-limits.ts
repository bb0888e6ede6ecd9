/** Annotations of one session: a snapshot contains all of them. */
export const MAX_ANNOTATIONS = 2_000;

/** Entries of one annotation: a longer thread belongs in a chat. */
export const MAX_ENTRIES = 500;

/** UTF-16 units of an annotation as JSON: the host rewrites it whenever its lines move. */
export const MAX_ANNOTATION_CHARS = 256 * 1024;

/** UTF-16 units of an id that a client chose: ids are part of keys in the store. */
export const MAX_ID_CHARS = 256;
