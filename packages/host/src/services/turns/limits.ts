/** Milliseconds that an agent gets to stop after a cancel before its chat is closed under it: agents need well under a second. */
export const CANCEL_GRACE_MS = 10_000;

/** Milliseconds that a client may be away before its running tools count as failed (OQ-66). */
export const CLIENT_GRACE_MS = 30_000;

/** Milliseconds that a tool of a client may take: it may ask its user something. */
export const CLIENT_TOOL_MS = 10 * 60_000;

/** How deep sub-agents may start sub-agents, and how many chats a session may hold: both stop runaway agents. */
export const MAX_SPAWN_DEPTH = 4;
export const MAX_CHATS = 200;

/** Commands of an agent that are kept, and UTF-16 units of what it says of each: more nobody picks from. */
export const MAX_COMMANDS = 500;
export const MAX_COMMAND_TEXT_CHARS = 500;
