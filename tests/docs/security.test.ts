import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { securityTests } from '../../vitest.security.config.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const named = [
  ...readFileSync(`${root}SECURITY.md`, 'utf8').matchAll(/`([\w./-]+\.test\.ts)`: ([^|\n]+?)\.?(?= \||\n)/g),
].map(([, file = '', title = '']) => ({ file, title: title.trim() }));

/** Suites that adapters share are written once and run by each adapter's own test. */
const contracts = readdirSync(`${root}packages/host/src/testing`)
  .map((name) => readFileSync(`${root}packages/host/src/testing/${name}`, 'utf8'))
  .join('\n');

describe('SECURITY.md', () => {
  it.each(named)('names a test that exists: $file: $title', ({ file, title }) => {
    expect(existsSync(root + file)).toBe(true);
    const text = readFileSync(root + file, 'utf8');
    expect(text.includes(title) || (file.endsWith('/contract.test.ts') && contracts.includes(title))).toBe(true);
  });

  it('names every file that `npm run test:security` runs, and no other', () => {
    expect(new Set(named.map(({ file }) => file))).toEqual(new Set(securityTests));
  });
});
