import { type Annotation, type AnnotationAnchor, type ChangesetFile, changesetUri } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { totalText, usageText } from '../src/chat/usage.js';
import { reviewFiles } from '../src/review/file.js';
import { placeIn, Threads } from '../src/review/threads.js';
import { shownTurn } from '../src/review/version.js';

const URI = 'file:///w/a.txt';
const TEXT = 'one\ntwo\nthree\nfour\n';

function fileAt(after: string, before = after) {
  const side = (uri: string) => ({ uri, content: { uri: `content:${uri}` } });
  const entry: ChangesetFile = { id: after, edit: { before: side(before), after: side(after) } };
  const [file] = reviewFiles([entry], ['file:///w']);
  if (!file) throw new Error('no file');
  return file;
}

/** A comment on line 2, `two`. */
function comment(anchor?: Partial<AnnotationAnchor>, meta: Record<string, unknown> = {}): Annotation {
  return {
    id: 'c',
    origin: { session: 'ahp-session:/s', turnId: 't1' },
    resource: URI,
    range: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } },
    resolved: false,
    entries: [{ id: 'e', text: 'Why?' }],
    _meta: { ...meta, ...(anchor && { 'moorage.anchor': { turnId: 't1', ...anchor } }) },
  };
}

const moved: Partial<AnnotationAnchor> = {
  state: 'moved',
  range: { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } },
};
const shown = (turnId?: string, after = TEXT, before = TEXT) => ({ turnId, after, before });

describe('where a comment stands', () => {
  const file = fileAt(URI);

  it('is where the host says that its lines are now, in the file as it is now', () => {
    expect(placeIn(comment({ state: 'here' }), file, shown())).toEqual({ side: 'after', line: 2 });
    expect(placeIn(comment(moved), file, shown())).toEqual({ side: 'after', line: 3 });
    expect(placeIn(comment({ state: 'outdated' }), file, shown())).toMatchObject({
      line: undefined,
      apart: 'outdated',
    });
  });

  it('is where it was written, in the turn that it is about', () => {
    expect(placeIn(comment(moved), file, shown('t1'))).toEqual({ side: 'after', line: 2 });
    expect(placeIn(comment({ state: 'outdated' }), file, shown('t1'))).toEqual({ side: 'after', line: 2 });
  });

  it('is nowhere in another version, unless its lines are seen to be there', () => {
    expect(placeIn(comment(moved), file, shown('t2'))).toMatchObject({ line: undefined, apart: 'elsewhere' });
    const seen = { 'moorage.lines': 'two' };
    expect(placeIn(comment(moved, seen), file, shown('t2'))).toMatchObject({ line: 2 });
    expect(placeIn(comment(moved, seen), file, shown('t2', 'zero\none\ntwo\n'))).toMatchObject({ line: 3 });
    // Written on the file as it was then, which is not what its turn left.
    expect(placeIn(comment(moved, seen), file, shown('t1', 'x\ny\nz\n'))).toMatchObject({ apart: 'elsewhere' });
  });

  it('is on the older side for lines that are gone', () => {
    const gone = comment(undefined, { 'moorage.side': 'before', 'moorage.lines': 'two' });
    expect(placeIn(gone, file, shown(undefined, ''))).toEqual({ side: 'before', line: 2 });
    expect(placeIn(gone, file, shown(undefined, '', 'others\n'))).toMatchObject({
      line: undefined,
      apart: 'elsewhere',
    });
  });

  it('follows a file to its new name', () => {
    const renamed = comment({ state: 'here', resource: 'file:///w/b.txt' });
    const threads = new Threads([renamed]);
    expect(threads.of(fileAt('file:///w/b.txt'))).toEqual([renamed]);
    expect(threads.of(fileAt('file:///w/b.txt', URI))).toEqual([renamed]);
    expect(threads.of(fileAt('file:///w/c.txt'))).toEqual([]);
    expect(threads.openIn(fileAt('file:///w/b.txt'))).toBe(1);
  });

  it('is at its file however that is written', () => {
    const escaped = { ...comment(), resource: 'file:///w/%2Bpage.svelte' };
    expect(new Threads([escaped]).of(fileAt('file:///w/+page.svelte'))).toEqual([escaped]);
  });

  it('is told by the changeset', () => {
    const of = (selector: Parameters<typeof changesetUri>[1]) =>
      shownTurn(changesetUri('ahp-session:/s', selector), 't9');
    expect(of({ kind: 'uncommitted' })).toBeUndefined();
    expect(of({ kind: 'session' })).toBe('t9');
    expect(of({ kind: 'turn', turnId: 't1' })).toBe('t1');
    expect(of({ kind: 'compare-turns', originalTurnId: 't1', modifiedTurnId: 't2' })).toBe('t2');
    expect(shownTurn('other://of/another/host', 't9')).toBeUndefined();
  });
});

describe('what was used', () => {
  const turn = (usage: object) => ({ id: 't', usage }) as never;
  const chat = (...turns: never[]) => ({ turns }) as never;

  it('is added up, and the last word on cost and context counts', () => {
    expect(usageText({ inputTokens: 10, outputTokens: 2, model: 'm' })).toBe('10 in · 2 out · m');
    const state = chat(
      turn({
        inputTokens: 10_000,
        outputTokens: 2000,
        _meta: { 'moorage.context': { cost: { amount: 0.5, currency: 'USD' } } },
      }),
      turn({
        inputTokens: 1000,
        _meta: { 'moorage.context': { used: 50, size: 200, cost: { amount: 0.75, currency: 'USD' } } },
      }),
    );
    expect(totalText(state)).toBe('13k tokens · $0.75 · context 25% full');
    expect(totalText(chat())).toBe('');
  });

  it('is not believed when it makes no sense', () => {
    const odd = { 'moorage.context': { used: 'much', size: 0, cost: { amount: Number.NaN, currency: '<b>' } } };
    expect(totalText(chat(turn({ inputTokens: 5, _meta: odd })))).toBe('5 tokens');
    expect(totalText(chat(turn({ _meta: { 'moorage.context': { cost: { amount: 2, currency: 'credits' } } } })))).toBe(
      '2.00 credits',
    );
  });
});
