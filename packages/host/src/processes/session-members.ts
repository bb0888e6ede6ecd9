import { readdir } from 'node:fs/promises';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { procStat } from './proc-stat.js';

/** Processes that are read before the event loop gets a turn: less than a millisecond of blocking. */
const READS_AT_ONCE = 50;

/** The pids of the running processes of each of these sessions. */
export async function sessionMembers(sessions: ReadonlySet<number>): Promise<Map<number, number[]>> {
  const members = new Map<number, number[]>();
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const [index, pid] of pids.entries()) {
    if (index % READS_AT_ONCE === READS_AT_ONCE - 1) await yieldToOthers();
    const stat = procStat(pid);
    if (!stat?.isRunning || !sessions.has(stat.session)) continue;
    members.set(stat.session, [...(members.get(stat.session) ?? []), Number(pid)]);
  }
  return members;
}
