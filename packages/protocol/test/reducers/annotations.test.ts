import { describe, expect, it } from 'vitest';
import type { Annotation, AnnotationsAction, AnnotationsState } from '../../src/index.js';
import { apply, foreign, withExtras } from '../support/reducing.js';
import { annotation } from '../support/samples.js';

const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 4 } };

function holding(...annotations: Annotation[]): AnnotationsState {
  return { annotations };
}

function after(state: AnnotationsState, ...actions: AnnotationsAction[]): AnnotationsState {
  return apply('annotations', state, ...actions);
}

describe('annotations/set', () => {
  it('R-102 appends an annotation with a new id', () => {
    const state = after(holding(annotation('a')), { type: 'annotations/set', annotation: annotation('b') });
    expect(state.annotations.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('R-102 replaces one with a known id wholly and in place, so that omitted members disappear', () => {
    const old = { ...annotation('a'), range, _meta: { colour: 'red' } };
    const state = after(holding(old, annotation('b')), {
      type: 'annotations/set',
      annotation: { ...annotation('a', ['new']), resolved: true },
    });
    expect(state).toEqual(holding({ ...annotation('a', ['new']), resolved: true }, annotation('b')));
  });
});

describe('annotations/updated', () => {
  it('R-103 writes the given members only, and the origin as a whole', () => {
    const origin = { session: 'ahp-session:/s', chat: 'ahp-chat:/c' };
    const state = after(holding({ ...annotation('a'), range, _meta: { colour: 'red' } }), {
      type: 'annotations/updated',
      annotationId: 'a',
      origin,
      resource: 'file:///b.ts',
    });
    const expected = { ...annotation('a'), origin, resource: 'file:///b.ts', range, _meta: { colour: 'red' } };
    expect(state).toEqual(holding(expected));
  });

  it('R-103 writes `resolved: false` and a new range', () => {
    const moved = { start: { line: 9, character: 0 }, end: { line: 9, character: 1 } };
    const state = after(holding({ ...annotation('a'), resolved: true, range }), {
      type: 'annotations/updated',
      annotationId: 'a',
      resolved: false,
      range: moved,
    });
    expect(state).toEqual(holding({ ...annotation('a'), range: moved }));
  });

  it('R-103 keeps the entries and unknown members, and cannot remove a range', () => {
    const old = withExtras({ ...annotation('a', ['e1', 'e2']), range });
    const state = after(holding(old), { type: 'annotations/updated', annotationId: 'a', resolved: true });
    expect(state).toEqual(holding({ ...old, resolved: true }));
  });

  it('R-103 does not write a range where none is given and none was', () => {
    const state = after(holding(annotation('a')), { type: 'annotations/updated', annotationId: 'a', resolved: true });
    expect(state.annotations[0]).not.toHaveProperty('range');
  });

  it('R-103 is a no-op for an unknown id', () => {
    const before = holding(annotation('a'));
    expect(after(before, { type: 'annotations/updated', annotationId: 'x', resolved: true })).toBe(before);
  });
});

describe('annotations/removed', () => {
  it('R-104 removes by id', () => {
    const before = holding(annotation('a'), annotation('b'), annotation('c'));
    const state = after(before, { type: 'annotations/removed', annotationId: 'b' });
    expect(state).toEqual(holding(annotation('a'), annotation('c')));
  });

  it('R-104 is a no-op for an unknown id', () => {
    const before = holding(annotation('a'));
    expect(after(before, { type: 'annotations/removed', annotationId: 'x' })).toBe(before);
  });
});

describe('annotations/entrySet', () => {
  it('R-105 appends a new entry', () => {
    const before = holding(annotation('a'), annotation('b'));
    const state = after(before, { type: 'annotations/entrySet', annotationId: 'b', entry: { id: 'e9', text: 'new' } });
    expect(state.annotations[0]).toBe(before.annotations[0]);
    expect(state.annotations[1]?.entries.map(({ id }) => id)).toEqual(['e1', 'e9']);
  });

  it('R-105 replaces a known entry wholly and in place', () => {
    const before = holding({
      ...annotation('a'),
      entries: [
        { id: 'e1', text: 'old', _meta: { by: 'me' } },
        { id: 'e2', text: 'second' },
      ],
    });
    const entry = { id: 'e1', text: { markdown: '*new*' } };
    const state = after(before, { type: 'annotations/entrySet', annotationId: 'a', entry });
    expect(state.annotations[0]?.entries).toEqual([entry, { id: 'e2', text: 'second' }]);
  });

  it('R-105 is a no-op for an unknown annotation', () => {
    const before = holding(annotation('a'));
    const entry = { id: 'e1', text: 'lost' };
    expect(after(before, { type: 'annotations/entrySet', annotationId: 'x', entry })).toBe(before);
  });
});

describe('annotations/entryRemoved', () => {
  it('R-106 removes the entry, also the last one', () => {
    const state = after(
      holding(annotation('a', ['e1', 'e2'])),
      { type: 'annotations/entryRemoved', annotationId: 'a', entryId: 'e1' },
      { type: 'annotations/entryRemoved', annotationId: 'a', entryId: 'e2' },
    );
    expect(state).toEqual(holding(annotation('a', [])));
  });

  it.each([
    ['annotation', 'x', 'e1'],
    ['entry', 'a', 'x'],
  ])('R-106 is a no-op for an unknown %s', (_, annotationId, entryId) => {
    const before = holding(annotation('a'));
    expect(after(before, { type: 'annotations/entryRemoved', annotationId, entryId })).toBe(before);
  });
});

it('R-4 ignores an action type of a later version', () => {
  const before = holding(annotation('a'));
  expect(after(before, foreign({ type: 'annotations/pinned', annotationId: 'a' }))).toBe(before);
});
