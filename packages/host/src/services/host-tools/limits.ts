/** Sessions that one session can begin, over its whole life. */
export const MAX_STARTED = 5;

/** A session that an agent began may begin others, but what these begin may not: depth counts from sessions of users. */
export const MAX_DEPTH = 2;

/** Messages that the agent of one session can send to others, over its whole life. */
export const MAX_SENT = 30;

/** UTF-16 units of a message to another session. */
export const MAX_MESSAGE_CHARS = 32 * 1024;

/** UTF-16 units of an answer: what a model reads without losing its way. */
export const MAX_ANSWER_CHARS = 32 * 1024;

/** Sessions in a list. */
export const MAX_LISTED = 50;
