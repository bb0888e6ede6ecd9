import { readFileSync } from 'node:fs';

/** A part of what Linux reports of a process in /proc/<pid>/stat. */
export interface ProcStat {
  /** False for a zombie: a process that has ended but whose parent has not collected it. */
  readonly isRunning: boolean;
  readonly session: number;
  /** The foreground process group of its terminal; below 1 when it has no terminal. */
  readonly foreground: number;
}

/** Undefined when the process is gone, and on systems without /proc. */
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
