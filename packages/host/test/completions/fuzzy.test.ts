import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { declarationsIn } from '../../src/services/completions/declarations.js';
import { search, searchable } from '../../src/services/completions/fuzzy.js';
import { wordAt } from '../../src/services/completions/word.js';

const found = (names: string[], query: string, max = 10) =>
  search(searchable(names), query, max).map(({ index }) => names[index]);

const isInOrder = (name: string, query: string) => {
  let at = 0;
  for (const char of name.toLowerCase()) if (char === query[at]) at++;
  return at === query.length;
};

describe('a fuzzy search', () => {
  it('ranks an exact name first, then prefixes, parts, matches in the path, and spread-out letters', () => {
    const names = ['x/m-a-i-n.ts', 'main/other.ts', 'a/domain.ts', 'a/the-main.ts', 'a/main.tsx', 'b/main'];
    expect(found(names, 'main')).toEqual([...names].reverse());
  });

  it('finds exactly the names with the letters in order, and returns the best of them', () => {
    const letters = (max: number) =>
      fc
        .array(fc.constantFrom('a', 'b', 'c', '/', '.', 'É'), { minLength: 1, maxLength: max })
        .map((all) => all.join(''));
    fc.assert(
      fc.property(
        fc.array(letters(8), { maxLength: 20 }),
        letters(3),
        fc.integer({ min: 1, max: 30 }),
        (names, query, max) => {
          const all = search(searchable(names), query, names.length + 1);
          const expected = names.flatMap((name, index) => (isInOrder(name, query.toLowerCase()) ? [index] : []));
          expect(all.map(({ index }) => index).sort((a, b) => a - b)).toEqual(expected);
          expect(search(searchable(names), query, max)).toEqual(all.slice(0, max));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the word at the cursor', () => {
  it('always includes the cursor, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(40), (text, at) => {
        const offset = Math.min(at, text.length);
        const word = wordAt(text, offset, ['@', '#', '/']);
        if (!word) throw new Error('there is always one in a short text');
        expect(word.start).toBeLessThanOrEqual(offset);
        expect(word.end).toBeGreaterThanOrEqual(offset);
        expect(text.slice(word.start, offset)).toBe(word.trigger + word.query);
      }),
    );
  });
});

describe('declarations', () => {
  it.each([
    ['a.ts', 'export async function load() {', 'load'],
    ['a.ts', '  const inner = 1;', undefined],
    ['a.ts', 'export const outer = 1;', 'outer'],
    ['a.tsx', 'export default class View extends X {', 'View'],
    ['a.py', '    async def fetch(self):', 'fetch'],
    ['a.go', 'func (s *Server) Serve(ctx context.Context) error {', 'Serve'],
    ['a.rs', 'pub(crate) async fn run() {', 'run'],
    ['A.java', '  public static final class Inner {', 'Inner'],
    ['a.c', 'static int parse_line(const char *line)', 'parse_line'],
    ['a.c', '  if (x) {', undefined],
    ['a.rb', '  def self.build!(x)', 'build!'],
    ['a.sh', 'deploy() {', 'deploy'],
    ['a.txt', 'function nothing() {}', undefined],
    ['a.ts', `function ${'x'.repeat(400)}() {}`, undefined],
  ])('of %s: %s', (path, line, name) => {
    const [declaration] = declarationsIn(path, `\n${line}\n`);
    expect(declaration?.name).toBe(name);
    if (declaration) expect(line.slice(declaration.character)).toMatch(new RegExp(`^${name?.replace('!', '\\!')}`));
    if (declaration) expect(declaration.line).toBe(1);
  });
});
