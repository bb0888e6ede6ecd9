/** Bytes of one message from a server, 16 MiB: enough for an image or a file in base64, as between host and clients. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Milliseconds for a server to start and complete the handshake: `npx` may have to download it first. */
export const START_MS = 60_000;

/** Milliseconds without a result or progress after which a tool call fails. Long, because a tool may ask the user something. */
export const CALL_MS = 10 * 60_000;

/** Milliseconds that a tool call may take in total, whatever progress it reports. */
export const MAX_CALL_MS = 2 * 60 * 60_000;

/** Milliseconds for any other request: lists, resources, settings. */
export const REQUEST_MS = 60_000;

/** Tools of one server, and pages of its list. Each tool takes up space in every request to a model. */
export const MAX_TOOLS = 256;
export const MAX_PAGES = 32;

/** UTF-16 units of a tool's name, its description, and its schema as JSON. */
export const MAX_NAME_CHARS = 128;
export const MAX_DESCRIPTION_CHARS = 8_000;
export const MAX_SCHEMA_CHARS = 64 * 1024;

/** Content items in one tool result. */
export const MAX_CONTENTS = 100;

/** Milliseconds between closing a server's input and SIGTERM, and between SIGTERM and SIGKILL. */
export const END_GRACE_MS = 1_000;
export const TERM_GRACE_MS = 2_000;

/** Requests of one server that may be open at the same time. A server needs one or two. */
export const MAX_OPEN_QUESTIONS = 8;

/** Bytes of a server's authorization metadata, and milliseconds to fetch it. */
export const MAX_METADATA_BYTES = 64 * 1024;
export const METADATA_MS = 10_000;
