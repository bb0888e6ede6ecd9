import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { actionTable } from '../../src/index.js';
import { isNewer } from '../../src/versions/shared/since.js';

it('docs/PROTOCOL.md says which actions each version since 0.5 brought', () => {
  const page = readFileSync(new URL('../../../../docs/PROTOCOL.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| (`.*) \|$/gm)];
  const listed = rows.flatMap(([, since = '', types = '']) => types.split(', ').map((type) => [type, since]));
  const actual = Object.entries(actionTable)
    .filter(([, { since }]) => isNewer(since, '0.4.0'))
    .map(([type, { since }]) => [`\`${type}\``, since]);
  expect(new Map(listed as [string, string][])).toEqual(new Map(actual as [string, string][]));
});
