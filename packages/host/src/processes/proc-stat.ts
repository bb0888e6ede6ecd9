import { readFileSync } from 'node:fs';

/** What Linux tells of a process in /proc. */
export interface ProcStat {
  /** Not one that has ended and that nobody has asked for. */
  readonly isRunning: boolean;
  readonly session: number;
  /** The group that has its terminal; below one when it has none. */
  readonly foreground: number;
}

/** Undefined when it is gone, and where the system does not tell. */
export function procStat(pid: number | string): ProcStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything; after it come state, ppid, pgrp, session, tty_nr, tpgid.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 6);
    return { isRunning: !/[ZX]/.test(fields[0] ?? 'X'), session: Number(fields[3]), foreground: Number(fields[5]) };
  } catch {
    return undefined;
  }
}
