import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const RULES = 'docs/RULES.md';

const packages = readdirSync(`${root}packages`).flatMap((name) => [`packages/${name}/src`, `packages/${name}/test`]);
const files = ['docs', 'tests', ...packages]
  .filter((folder) => existsSync(root + folder))
  .flatMap((folder) => readdirSync(root + folder, { recursive: true }).map((path) => `${folder}/${path}`))
  .filter((file) => /\.(ts|tsx|mjs|md)$/.test(file) && file !== RULES);

/** Each number that is cited, with the first file that does. */
const cited = new Map<string, string>();
for (const file of files) {
  for (const [number] of read(file).matchAll(/\b(?:B|R|OQ|D)-\d+/g)) if (!cited.has(number)) cited.set(number, file);
}

const listed = [...read(RULES).matchAll(/^\| ((B|R|OQ|D)-(\d+)) \| \S/gm)].map(([, number = '', kind, count]) => ({
  number,
  kind,
  count: Number(count),
}));

describe('docs/RULES.md', () => {
  it('has every number that sources, tests and documents cite', () => {
    const known = new Set(listed.map(({ number }) => number));
    expect([...cited].filter(([number]) => !known.has(number))).toEqual([]);
    expect(cited.size).toBeGreaterThan(0);
  });

  it('has no number that nobody cites', () => {
    expect(listed.filter(({ number }) => !cited.has(number))).toEqual([]);
  });

  it.each(['B', 'R', 'OQ', 'D'])('has each number of %s once, and in order', (kind) => {
    const counts = listed.filter((rule) => rule.kind === kind).map(({ count }) => count);
    expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b));
  });
});

function read(file: string): string {
  return readFileSync(root + file, 'utf8');
}
