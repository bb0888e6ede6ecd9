/** Milliseconds an agent has to stop after a cancel before it is closed; agents need well under a second. */
export const CANCEL_GRACE_MS = 10_000;

/** Milliseconds a client may be disconnected before its running tools fail (OQ-66). */
export const CLIENT_GRACE_MS = 30_000;

/** Milliseconds a client's tool may take: it may ask its user something. */
export const CLIENT_TOOL_MS = 10 * 60_000;

/** Nesting depth of sub-agents, and chats per session: both stop runaway agents. */
export const MAX_SPAWN_DEPTH = 4;
export const MAX_CHATS = 200;

/** Commands kept per agent, and UTF-16 units of each description and hint. */
export const MAX_COMMANDS = 500;
export const MAX_COMMAND_TEXT_CHARS = 500;

/** Milliseconds after a piece of text in which further ones become one action. Timers are late: up to 200 pieces a second, few wait. */
export const GATHER_MS = 4;

/** UTF-16 units gathered at most; more than any model says in that time. */
export const MAX_GATHERED_CHARS = 16 * 1024;
