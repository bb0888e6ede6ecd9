import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { actionTable, type ChannelKind } from '../../src/index.js';
import { reduceAs, type WireAction, type WireObject } from '../../src/versions/index.js';
import { readFixtures } from '../support/fixtures.js';
import { deepFreeze } from '../support/reducing.js';
import { bare } from '../support/versions/bare.js';
import { reduceIn } from '../support/versions/reduce.js';

interface Fixture {
  readonly description: string;
  readonly reducer: ChannelKind;
  readonly initial: WireObject;
  readonly actions: readonly WireAction[];
  readonly expected: unknown;
}

const fixtures = readFixtures<Fixture>('reducers', '0.4');
const NOW = 9999; // the time in all fixtures

/** The fixtures that only 0.4 itself can satisfy, each with the reason. */
const exceptions: Record<string, string> = JSON.parse(
  readFileSync(new URL('../fixtures-0.4-exceptions.json', import.meta.url), 'utf8'),
);

function outcome({ reducer, initial, actions }: Fixture): unknown {
  const start: WireObject = deepFreeze(bare(initial));
  return actions.reduce(
    (state, action) => deepFreeze(reduceAs('0.4.0', reducer, state, deepFreeze(bare(action)), { now: () => NOW })),
    start,
  );
}

describe('0.4 fixtures of the authors', () => {
  it('are here', ({ skip }) => {
    skip(fixtures.length === 0, 'there are no fixtures of the authors beside this checkout');
    expect(fixtures).not.toEqual([]);
  });

  it('are excused a dozen times at most, and only where they do not hold', ({ skip }) => {
    skip(fixtures.length === 0, 'there are no fixtures of the authors beside this checkout');
    expect(Object.keys(exceptions).length).toBeLessThanOrEqual(12);
    for (const fixture of fixtures.filter(({ file }) => file in exceptions)) {
      expect(bare(outcome(fixture)), fixture.file).not.toStrictEqual(bare(fixture.expected));
    }
  });

  it.each(fixtures.filter(({ file }) => !(file in exceptions)))('$file holds through the dialect', (fixture) => {
    expect(bare(outcome(fixture))).toStrictEqual(bare(fixture.expected));
  });

  it.each(fixtures)('$file holds with the reducers that older versions are tested with', (fixture) => {
    const { reducer, initial, actions, expected } = fixture;
    const state = actions.reduce(
      (current, action) => reduceIn('0.4', reducer, current, bare(action), NOW),
      bare(initial),
    );
    expect(bare(state)).toStrictEqual(bare(expected));
  });
});

describe('1.0 fixtures of the authors', () => {
  const later: readonly string[] = Object.entries(actionTable).flatMap(([type, { since }]) =>
    since === '1.0.0' ? [type] : [],
  );
  const known = readFixtures<Fixture>('reducers').filter(
    ({ actions }) => !actions.some(({ type }) => later.includes(type)),
  );

  it('are here', ({ skip }) => {
    skip(known.length === 0, 'there are no fixtures of the authors beside this checkout');
    expect(known.length).toBeGreaterThan(100);
  });

  it.each(known)('$file holds with the reducers that 0.9 is tested with', ({ reducer, initial, actions, expected }) => {
    const state = actions.reduce(
      (current, action) => reduceIn('0.9', reducer, current, bare(action), NOW),
      bare(initial),
    );
    expect(bare(state)).toStrictEqual(bare(expected));
  });
});
