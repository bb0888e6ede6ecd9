/** Milliseconds between two words on how far a work tree is: enough to see it move. */
export const PROGRESS_MS = 250;
