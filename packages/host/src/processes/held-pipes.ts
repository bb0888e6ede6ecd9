import type { ChildProcess } from 'node:child_process';

/**
 * Milliseconds for which the output of a program is read after its exit. Its own output is available at once; only a process
 * that it left behind can hold the pipes open for longer, such as an ssh that keeps its connection for the next push.
 */
const HELD_PIPES_MS = 1_000;

/** Destroys the pipes of a child shortly after its exit, so that `close` is emitted even if another process holds them. */
export function closePipesAfterExit(child: ChildProcess): void {
  child.on('exit', () => {
    const giveUp = setTimeout(() => {
      for (const stream of child.stdio) stream?.destroy();
    }, HELD_PIPES_MS);
    child.on('close', () => clearTimeout(giveUp));
  });
}
