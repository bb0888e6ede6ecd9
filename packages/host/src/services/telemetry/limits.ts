/** Chats whose last reported cost is remembered, to compute increments; the least recently updated go first. */
export const MAX_REMEMBERED_COSTS = 1_000;
