import { describe, expect, it } from 'vitest';
import { type ActionOf, type ChannelKind, type ChannelStates, reduceAll } from '../src/index.js';
import { readFixtures } from './support/fixtures.js';
import { applyAny, deepFreeze } from './support/reducing.js';

interface Fixture {
  readonly description: string;
  readonly reducer: ChannelKind;
  readonly initial: ChannelStates[ChannelKind];
  readonly actions: readonly ActionOf<ChannelKind>[];
  readonly expected: unknown;
}

const fixtures = readFixtures<Fixture>('reducers');
const clock = { now: () => 9999 };

/** A member that is null or undefined counts as absent. */
function bare<T>(value: T): T {
  const text = JSON.stringify(value, (_, member) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).filter(([, inner]) => inner !== null));
  });
  return JSON.parse(text);
}

describe('reducer fixtures of the authors', () => {
  it('are here', ({ skip }) => {
    skip(fixtures.length === 0, 'there are no fixtures of the authors beside this checkout');
    expect(fixtures).not.toEqual([]);
  });

  it.each(fixtures)('$file: $description', ({ reducer, initial, actions, expected }) => {
    const state = actions.reduce<object>(
      (current, action) => applyAny(reducer, current, bare(action), clock),
      bare(initial),
    );
    expect(bare(state)).toStrictEqual(bare(expected));
  });

  it.each(fixtures)('$file, as a batch', ({ reducer, initial, actions, expected }) => {
    const state = reduceAll(reducer, deepFreeze(bare(initial)) as never, deepFreeze(bare(actions)) as never, clock);
    expect(bare(state)).toStrictEqual(bare(expected));
  });
});
