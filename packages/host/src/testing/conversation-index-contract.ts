import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConversationIndex, keyOfTurn } from '../ports/conversation-index.js';

const ONE = 'ahp-session:/one';
const TWO = 'ahp-session:/two';
const PAGE = { offset: 0, limit: 10 };

/** The contract of ConversationIndex, as vitest suites. `open` gives an empty index. */
export function describeConversationIndex(name: string, open: () => ConversationIndex): void {
  describe(`${name} is a ConversationIndex`, () => {
    let index: ConversationIndex;
    beforeEach(() => {
      index = open();
    });
    afterEach(() => index.close());

    const put = (session: string, turnId: string, text: string) =>
      index.put(session, [{ chat: `${session}/chat`, turnId, text }]);
    const found = (query: string) => index.search(query, PAGE).map(({ session, turnId }) => [session, turnId]);

    it('finds the turn that has all words, whatever their order, case and accents', () => {
      put(ONE, 'a', 'The quick brown Füchse jump');
      put(TWO, 'b', 'The quick cat');
      expect(found('FUCHSE quick')).toEqual([[ONE, 'a']]);
      expect(found('quick').toSorted()).toEqual([
        [ONE, 'a'],
        [TWO, 'b'],
      ]);
      expect(found('quick dog')).toEqual([]);
    });

    it('takes the last word for the beginning of one, and only the last', () => {
      put(ONE, 'a', 'rename the migration');
      expect(found('rename migr')).toEqual([[ONE, 'a']]);
      expect(found('migr rename')).toEqual([]);
    });

    it.each([
      '"',
      '""',
      '*',
      'a" OR "b',
      'text:secret',
      'NEAR(a b)',
      '-',
      '(',
      'a AND',
      "'; DROP TABLE texts; --",
      '\0',
      '',
    ])('takes %j for words, never for a command', (query) => {
      put(ONE, 'a', 'nothing of the kind');
      expect(found(query)).toEqual([]);
      expect(found('kind')).toEqual([[ONE, 'a']]);
    });

    it('answers with one turn for each session, and some words around it on one line', () => {
      put(ONE, 'a', `${'before '.repeat(100)}\nneedle\n${'after '.repeat(100)}`);
      put(ONE, 'b', 'needle again');
      expect(found('needle')).toHaveLength(1);
      index.removeTurns(ONE, [keyOfTurn({ chat: `${ONE}/chat`, turnId: 'b' })]);
      const [hit] = index.search('needle', PAGE);
      expect(hit?.excerpt).toContain('needle');
      expect(hit?.excerpt).not.toContain('\n');
      expect(hit?.excerpt.length).toBeLessThan(300);
    });

    it('answers page by page, without gaps and repetitions', () => {
      for (let count = 0; count < 7; count++) put(`ahp-session:/${count}`, 'a', 'word');
      const pages = [0, 3, 6, 9].map((offset) => index.search('word', { offset, limit: 3 }));
      expect(pages.map((page) => page.length)).toEqual([3, 3, 1, 0]);
      expect(new Set(pages.flat().map(({ session }) => session)).size).toBe(7);
    });

    it('replaces a turn that is put again, and forgets what is removed', () => {
      put(ONE, 'a', 'first');
      put(ONE, 'a', 'second');
      expect([found('first'), found('second')]).toEqual([[], [[ONE, 'a']]]);
      expect(index.turnsOf(ONE)).toEqual(new Set([keyOfTurn({ chat: `${ONE}/chat`, turnId: 'a' })]));
      index.remove(ONE);
      expect([found('second'), index.turnsOf(ONE).size]).toEqual([[], 0]);
    });

    it('knows which sessions are complete, and as of when', () => {
      put(ONE, 'a', 'text');
      expect(index.sessions().size).toBe(0);
      index.complete(ONE, 'v1');
      index.complete(TWO, 'v1');
      index.complete(TWO, 'v2');
      expect(Object.fromEntries(index.sessions())).toEqual({ [ONE]: 'v1', [TWO]: 'v2' });
      index.remove(TWO);
      expect([...index.sessions().keys()]).toEqual([ONE]);
    });

    it('refuses every call once it is closed', () => {
      index.close();
      for (const call of [() => index.sessions(), () => put(ONE, 'a', 'x'), () => index.search('x', PAGE)])
        expect(call).toThrow();
      expect(() => index.close()).not.toThrow();
    });
  });
}
