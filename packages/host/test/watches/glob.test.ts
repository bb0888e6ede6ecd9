import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandBraces } from '../../src/paths/braces.js';
import { compileGlob } from '../../src/paths/glob.js';

describe('a glob', () => {
  it.each([
    ['a', 'a', true],
    ['a', 'a/b/c', true], // what is below
    ['a', 'ab', false],
    ['a', 'b/a', false],
    ['./a/', 'a/b', true],
    ['/a', 'a', true],
    ['*', 'abc', true],
    ['*', 'abc/d', true],
    ['*.ts', 'a.ts', true],
    ['*.ts', 'dir/a.ts', false],
    ['*.ts', '.ts', true],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'x/y/a.ts', true],
    ['**/*.ts', 'x/y/a.tsx', false],
    ['src/**', 'src', false],
    ['src/**', 'src/a/b', true],
    ['src/**/test', 'src/test', true],
    ['src/**/test', 'src/a/b/test/c', true],
    ['src/**/test', 'src/atest', false],
    ['**', 'anything/at/all', true],
    ['a**b', 'a/x/b', true],
    ['**/node_modules', 'a/node_modules/b', true],
    ['**/node_modules', 'a/my_node_modules/b', false],
    ['?', 'x', true],
    ['?', '/', false],
    ['?', '\u{1f600}', true],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]]', ']', true],
    ['[a', '[a', true],
    ['[!a]b', '/b', false],
    ['{a,b}/c', 'b/c', true],
    ['*.{ts,{j,m}s}', 'x.ms', true],
    ['{a', '{a', true],
    ['{a}', '{a}', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['\\{a,b\\}', '{a,b}', true],
    ['a\\', 'a\\', true],
    ['', 'a', false],
    ['a.b', 'axb', false],
    ['(a|b)+', 'a', false],
  ])('%s and %s: %s', (glob, path, expected) => {
    expect(compileGlob(glob)(path)).toBe(expected);
  });

  it('matches as a slow and simple matcher does', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '**', '?', '**/', '[ab]');
    const path = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 }).map((chars) => chars.join(''));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), path, (pieces, text) => {
        const glob = pieces.join('').replace(/^\/+|\/+$/g, '');
        fc.pre(!/\*\*\*/.test(glob) && !glob.includes('//') && !text.includes('//'));
        const below = text.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'));
        expect([glob, text, compileGlob(glob)(text)]).toEqual([
          glob,
          text,
          below.some((part) => slow(glob).test(part)),
        ]);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes no longer for what would send a regular expression astray', () => {
    const evil = compileGlob(`${'*a'.repeat(200)}b`);
    expect(evil('a'.repeat(4000))).toBe(false);
  });

  it('stands for so many alternatives and no more', () => {
    expect(expandBraces('{a,b}{c,d}')).toEqual(['ac', 'ad', 'bc', 'bd']);
    expect(() => expandBraces('{a,b}'.repeat(20))).toThrow(RangeError);
  });
});

/** The same by a regular expression, which is simple and may be slow. */
function slow(glob: string): RegExp {
  const source = glob.replace(/(^|(?<=\/))\*\*\/|\*\*|\*|\?|\[ab\]|[^*?[\]]/g, (token) => {
    if (token === '**/') return '(?:.*/)?';
    if (token === '**') return '.*';
    if (token === '*') return '[^/]*';
    if (token === '?') return '[^/]';
    return token;
  });
  return new RegExp(`^${source}$`, 's');
}
