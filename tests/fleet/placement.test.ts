import type { FleetHost } from '@moorage/client';
import { expect, it } from 'vitest';
import { placeOn } from '../../packages/cli/src/client/fleet/placement.js';

const host = (name: string, more: Partial<FleetHost> = {}): FleetHost => ({
  id: `id-of-${name}`,
  name,
  labels: [],
  state: 'here',
  enrolledAt: 0,
  runningSessions: 0,
  ...more,
});

const HOSTS = [
  host('busy', { labels: ['gpu', 'zone=a'], runningSessions: 3 }),
  host('calm', { labels: ['gpu', 'zone=b'], runningSessions: 1 }),
  host('free', { labels: ['zone=b'] }),
  host('gone', { labels: ['gpu', 'old'], state: 'away' }),
  host('out', { labels: ['gpu', 'new'], state: 'revoked' }),
];

it.each([
  { words: ['gpu'], placed: 'calm' },
  { words: ['zone=b'], placed: 'free' },
  { words: ['gpu', 'zone=a'], placed: 'busy' },
  { words: ['busy'], placed: 'busy' },
  { words: ['id-of-c'], placed: 'calm' },
])('places by $words on $placed', ({ words, placed }) => {
  expect(placeOn(HOSTS, words).name).toBe(placed);
});

it.each([
  { words: ['tpu'], problem: 'no host of the fleet fits tpu' },
  { words: ['gpu', 'free'], problem: 'no host of the fleet fits gpu and free' },
  { words: ['id-'], problem: 'no host of the fleet fits id-' },
  { words: ['new'], problem: 'no host of the fleet fits new' },
  { words: ['old'], problem: 'every host that fits old is away' },
])('says for $words what there is', ({ words, problem }) => {
  const there = 'busy (here) gpu zone=a\n  calm (here) gpu zone=b\n  free (here) zone=b\n  gone (away) gpu old';
  expect(() => placeOn(HOSTS, words)).toThrow(`${problem}\nThere are:\n  ${there}`);
});

it('says that there is nothing', () => {
  expect(() => placeOn([], ['gpu'])).toThrow('no host of the fleet fits gpu\nIt has no hosts');
});
