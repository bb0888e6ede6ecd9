import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CloseCodes } from '../../src/index.js';

it('docs/PROTOCOL.md tells clients what to do about every code that a host may send', () => {
  const text = readFileSync(new URL('../../../../docs/PROTOCOL.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('## Close codes');
  const documented = [...section.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  const { Normal, NoCode, Abnormal, ...sent } = CloseCodes; // the first is the client's own, the others are only reported
  expect(documented).toEqual(Object.values(sent));
});
