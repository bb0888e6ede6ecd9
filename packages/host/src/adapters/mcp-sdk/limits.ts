/** Bytes of one message of a server, 16 MiB: an image or a file in base64, as on the host's own wire. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Milliseconds that a server may take to start and introduce itself: `npx` may have to download it first. */
export const START_MS = 60_000;

/** Milliseconds without an answer or progress after which a call has failed: a tool may ask its user something. */
export const CALL_MS = 10 * 60_000;

/** Milliseconds that a call may take in all, whatever progress it reports. */
export const MAX_CALL_MS = 2 * 60 * 60_000;

/** Milliseconds for anything else: lists, resources, settings. */
export const REQUEST_MS = 60_000;

/** Tools of one server, and pages of its list: each tool takes room in every request to a model. */
export const MAX_TOOLS = 256;
export const MAX_PAGES = 32;

/** UTF-16 units of a tool's name, of what it says of itself, and of its schema as JSON. */
export const MAX_NAME_CHARS = 128;
export const MAX_DESCRIPTION_CHARS = 8_000;
export const MAX_SCHEMA_CHARS = 64 * 1024;

/** Things in one result of a tool. */
export const MAX_CONTENTS = 100;

/** Milliseconds between the end of a server's input, a polite signal and an end by force. */
export const END_GRACE_MS = 1_000;
export const TERM_GRACE_MS = 2_000;

/** Requests of one server that may wait for an answer of ours: a server needs one or two. */
export const MAX_OPEN_QUESTIONS = 8;

/** Bytes of the metadata that says where tokens for a server come from, and milliseconds to get it. */
export const MAX_METADATA_BYTES = 64 * 1024;
export const METADATA_MS = 10_000;
