import type { ChildProcess } from 'node:child_process';

/**
 * When no file handles are left, Node gives a process without pipes and tells why by a later event. Whoever reached for the
 * pipes first would fail without having listened for it, and an error that nobody listens to ends the host.
 */
export function requirePipes<T extends ChildProcess>(child: T): T {
  if (child.stdio !== undefined) return child;
  child.on('error', () => {});
  throw new Error('no program can be started: the host has no file handles left');
}
