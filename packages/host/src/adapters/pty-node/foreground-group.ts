import { procStat } from '../../processes/proc-stat.js';

/** The foreground process group of the terminal of a session leader; undefined where the system does not tell. */
export function foregroundGroup(leader: number): number | undefined {
  const group = procStat(leader)?.foreground;
  return group !== undefined && Number.isInteger(group) && group > 1 ? group : undefined;
}
