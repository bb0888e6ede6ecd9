import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');

/** Numbers that nobody gave away. */
const UNUSED = new Set([39]);
const LAST = 53;

const rows = [...read('docs/PROTOCOL.md').matchAll(/^\| V-(\d+) \| (.+) \| (.+) \|$/gm)].map(
  ([, number, behaviour = '', tests = '']) => ({
    number: Number(number),
    behaviour,
    files: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }),
);

it('docs/PROTOCOL.md has every rule of VS Code once, and in order', () => {
  const all = Array.from({ length: LAST }, (_, index) => index + 1).filter((number) => !UNUSED.has(number));
  expect(rows.map(({ number }) => number)).toEqual(all);
});

it.each(rows)('V-$number is named by each test that the table names, or the table says why there is none', (row) => {
  if (row.files.length === 0) expect(row.behaviour).toMatch(/^(not done|nothing to do): ./);
  for (const file of row.files) expect(read(file), file).toMatch(new RegExp(`\\bV-${row.number}\\b`));
});
