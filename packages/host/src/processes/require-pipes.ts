import type { ChildProcess } from 'node:child_process';

/**
 * Throws if a spawned child has no pipes. When no file handles are left, Node returns such a child and emits the error later:
 * code that used the pipes first would throw before it listens for that event, and the unhandled event would end the host.
 */
export function requirePipes<T extends ChildProcess>(child: T): T {
  if (child.stdio !== undefined) return child;
  child.on('error', () => {});
  throw new Error('no program can be started: the host has no file handles left');
}
