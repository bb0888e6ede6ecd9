import type { ChildProcess } from 'node:child_process';

/**
 * Milliseconds for which the output of a program that has ended is still read. What it wrote is there at once; only what it
 * left behind can hold the pipes for longer, as an ssh that keeps its connection for the next push.
 */
const HELD_PIPES_MS = 1_000;

/** Lets go of the pipes of a program a moment after it has ended, so that its `close` comes whoever else holds them. */
export function letGoOfHeldPipes(child: ChildProcess): void {
  child.on('exit', () => {
    const giveUp = setTimeout(() => {
      for (const stream of child.stdio) stream?.destroy();
    }, HELD_PIPES_MS);
    child.on('close', () => clearTimeout(giveUp));
  });
}
