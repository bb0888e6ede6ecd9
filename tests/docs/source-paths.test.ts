import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const docs = new URL('../../docs/', import.meta.url);

/** Pages about the code itself. */
const ABOUT_CODE: ReadonlySet<string> = new Set(['ARCHITECTURE.md', 'RULES.md', 'PROOF.md']);

/** Tests and examples are no source: a page may say how it is known, and what to start from. */
const SOURCE = /`([\w@./-]+\.tsx?|[\w@/.-]*\/src\/[\w@./-]*)`/g;

it.each(readdirSync(docs).filter((page) => page.endsWith('.md') && !ABOUT_CODE.has(page)))(
  '%s names no source file: readers of it have the program, not the code',
  (page) => {
    const named = [...readFileSync(new URL(page, docs), 'utf8').matchAll(SOURCE)].map(([, path = '']) => path);
    expect(named.filter((path) => !/test|example|bench|my-|hello|server\.ts/.test(path))).toEqual([]);
  },
);
