import type { FleetHost } from '@moorage/client';
import { CommandError } from '../errors.js';
import { plainLine } from '../output/plain.js';

/** The host that is there, fits every word (a label, its name, its id or the start of it), and has the fewest running sessions. */
export function placeOn(hosts: readonly FleetHost[], words: readonly string[]): FleetHost {
  const members = hosts.filter(({ state }) => state !== 'revoked');
  const fitting = members.filter((host) => words.every((word) => fits(host, word)));
  const [first] = fitting.filter(({ state }) => state === 'here').toSorted(byLoad);
  if (first) return first;
  const wanted = plainLine(words.join(' and '));
  const problem = fitting.length > 0 ? `every host that fits ${wanted} is away` : `no host of the fleet fits ${wanted}`;
  const lines = members.map(({ name, state, labels }) => `\n  ${plainLine([name, `(${state})`, ...labels].join(' '))}`);
  throw new CommandError(`${problem}\n${lines.length > 0 ? `There are:${lines.join('')}` : 'It has no hosts'}`);
}

/** Of the start of an id that can be told from a label. */
const MIN_ID_CHARS = 4;

function fits({ id, name, labels }: FleetHost, word: string): boolean {
  return labels.includes(word) || name === word || (word.length >= MIN_ID_CHARS && id.startsWith(word));
}

function byLoad(a: FleetHost, b: FleetHost): number {
  return (a.runningSessions ?? 0) - (b.runningSessions ?? 0) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1);
}
