import { readFileSync } from 'node:fs';

/** The process group that has the terminal of a session leader, where the system tells. */
export function foregroundGroup(leader: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${leader}/stat`, 'latin1');
    // The name in parentheses may hold anything; after it come state, ppid, pgrp, session, tty_nr, tpgid.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const group = Number(fields[5]);
    return Number.isInteger(group) && group > 1 ? group : undefined;
  } catch {
    return undefined;
  }
}
