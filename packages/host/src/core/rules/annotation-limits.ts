/** Annotations of a session: all of them are in one snapshot. */
export const MAX_ANNOTATIONS = 2_000;

/** Entries of one: a thread that is longer is a conversation for elsewhere. */
export const MAX_ENTRIES = 500;

/** UTF-16 units of an annotation as JSON; the host writes it anew whenever its lines have moved. */
export const MAX_ANNOTATION_CHARS = 256 * 1024;

/** UTF-16 units of an id that a client chose: it is part of keys in the store. */
export const MAX_ID_CHARS = 256;
