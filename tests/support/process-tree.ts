import { readdirSync, readFileSync } from 'node:fs';

/** A process, told from a later one with the same id by when it began. */
export interface ProcessId {
  readonly pid: number;
  readonly startedAt: string;
  readonly command: string;
}

/** All that a process started, and what those did. */
export function descendantsOf(pid: number): ProcessId[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));
  const found: ProcessId[] = [];
  const add = (parent: number) => {
    for (const { parent: of, ...child } of all) {
      if (of !== parent) continue;
      found.push(child);
      add(child.pid);
    }
  };
  add(pid);
  return found;
}

/** Whether it still runs; one that has ended and that nobody has asked for does not. */
export function runs({ pid, startedAt }: ProcessId): boolean {
  return statOf(pid)?.startedAt === startedAt;
}

function statOf(pid: number): (ProcessId & { parent: number }) | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, parent: Number(parent), startedAt: rest[17] ?? '', command };
  } catch {
    return undefined; // it ended while we looked
  }
}
