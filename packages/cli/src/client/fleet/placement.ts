import type { FleetHost } from '@moorage/client';
import { hostsThatFit } from '@moorage/protocol/internal';
import { CommandError } from '../errors.js';
import { plainLine } from '../output/plain.js';

/** The host that is there, fits every word, and has the fewest running sessions. */
export function placeOn(hosts: readonly FleetHost[], words: readonly string[]): FleetHost {
  const fitting = hostsThatFit(hosts, words);
  const first = fitting.find(({ state }) => state === 'here');
  if (first) return first;
  const members = hosts.filter(({ state }) => state !== 'revoked');
  const wanted = plainLine(words.join(' and '));
  const problem = fitting.length > 0 ? `every host that fits ${wanted} is away` : `no host of the fleet fits ${wanted}`;
  const lines = members.map(({ name, state, labels }) => `\n  ${plainLine([name, `(${state})`, ...labels].join(' '))}`);
  throw new CommandError(`${problem}\n${lines.length > 0 ? `There are:${lines.join('')}` : 'It has no hosts'}`);
}
