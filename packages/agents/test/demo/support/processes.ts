import { execFileSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

/** The ids of the processes whose command line ends with this. */
export function findProcesses(label: string): number[] {
  const lines = execFileSync('ps', ['-Ao', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [pid = '', stat = ''] = line.trim().split(/\s+/);
    return line.trimEnd().endsWith(` ${label}`) && !stat.startsWith('Z') ? [Number(pid)] : [];
  });
}

/** Looks again and again; gives up so late that only something broken takes as long. */
export async function eventually(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (holds()) return;
    await setTimeout(50);
  }
  throw new Error(`never happened: ${what}`);
}
