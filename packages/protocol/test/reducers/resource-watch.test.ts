import { expect, it } from 'vitest';
import { apply, foreign } from '../support/reducing.js';
import { watchState } from '../support/samples.js';

it('R-107 resourceWatch/changed leaves the state alone: the events are read from the action stream', () => {
  const before = watchState({ excludes: { items: ['**/dist'] } });
  const items = [
    { uri: 'file:///project/a.ts', type: 'added' as const },
    { uri: 'file:///project/b.ts', type: 'deleted' as const },
  ];
  expect(apply('resourceWatch', before, { type: 'resourceWatch/changed', changes: { items } })).toBe(before);
});

it('R-4 ignores an action type of a later version', () => {
  const before = watchState();
  expect(apply('resourceWatch', before, foreign({ type: 'resourceWatch/paused' }))).toBe(before);
});
