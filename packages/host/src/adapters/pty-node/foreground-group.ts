import { procStat } from '../../processes/proc-stat.js';

/** The process group that has the terminal of a session leader, where the system tells. */
export function foregroundGroup(leader: number): number | undefined {
  const group = procStat(leader)?.foreground;
  return group !== undefined && Number.isInteger(group) && group > 1 ? group : undefined;
}
