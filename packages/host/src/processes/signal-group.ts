import type { ChildProcess } from 'node:child_process';

/** Sends a signal to a whole process group, given its leader. Does nothing if the group has ended. */
export function signalGroup(leader: ChildProcess, signal: NodeJS.Signals): void {
  if (leader.pid === undefined) return;
  try {
    if (process.platform === 'win32') leader.kill(signal);
    else process.kill(-leader.pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}
