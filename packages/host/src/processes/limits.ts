/**
 * Milliseconds for which the output of a program that has ended is still read. What it wrote is there at once; only what left
 * its group can hold the pipes for longer, and nobody waits for that.
 */
export const HELD_PIPES_MS = 1_000;
