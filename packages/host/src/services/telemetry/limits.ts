/** Chats whose last known cost is remembered, to tell what was added; those of which nobody heard for longest go first. */
export const MAX_REMEMBERED_COSTS = 1_000;
