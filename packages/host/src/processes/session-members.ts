import { readdir } from 'node:fs/promises';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { procStat } from './proc-stat.js';

/** Processes that are looked at before others get their turn: less than a millisecond. */
const LOOKS_AT_ONCE = 50;

/** Which processes run in which of these sessions. */
export async function sessionMembers(sessions: ReadonlySet<number>): Promise<Map<number, number[]>> {
  const members = new Map<number, number[]>();
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const [index, pid] of pids.entries()) {
    if (index % LOOKS_AT_ONCE === LOOKS_AT_ONCE - 1) await othersTurn();
    const stat = procStat(pid);
    if (!stat?.isRunning || !sessions.has(stat.session)) continue;
    members.set(stat.session, [...(members.get(stat.session) ?? []), Number(pid)]);
  }
  return members;
}
