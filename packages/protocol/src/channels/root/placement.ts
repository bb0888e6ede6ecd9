import type { FleetHost } from './fleet.js';

/** What decides where a session runs. */
export type PlacedHost = Pick<FleetHost, 'id' | 'name' | 'labels' | 'state' | 'runningSessions'>;

/**
 * The members of a fleet that every word fits (a label, a name, an id or the start of one), those with the fewest running
 * sessions first.
 */
export function hostsThatFit<H extends PlacedHost>(hosts: readonly H[], words: readonly string[]): readonly H[] {
  return hosts.filter((host) => host.state !== 'revoked' && words.every((word) => fits(host, word))).sort(byLoad);
}

/** Of the start of an id that can be told from a label. */
const MIN_ID_CHARS = 4;

function fits({ id, name, labels }: PlacedHost, word: string): boolean {
  return labels.includes(word) || name === word || (word.length >= MIN_ID_CHARS && id.startsWith(word));
}

function byLoad(a: PlacedHost, b: PlacedHost): number {
  return (a.runningSessions ?? 0) - (b.runningSessions ?? 0) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1);
}
