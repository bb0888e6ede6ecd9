import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;

it('every event of the log is in docs/OPERATIONS.md, and no other', () => {
  const page = readFileSync(`${root}docs/OPERATIONS.md`, 'utf8');
  const table = page.slice(page.indexOf('### Events of the log'), page.indexOf('## Remote access'));
  const documented = table.split('\n').flatMap((line) => /^\| `([a-z-]+\.[a-z-]+)` \|/.exec(line)?.[1] ?? []);
  expect(documented).toEqual([...new Set(written())].sort());
});

/** The names that the sources write: after a level, or as the first of what a helper takes before its sentence. */
function written(): string[] {
  const name = /(?:'(?:debug|info|warn|error)'|\blevel|(?:warn|#failed)\()(?:,)?\s*'([a-z]+\.[a-z-]+)'/g;
  return ['agents', 'cli', 'fleet', 'host'].flatMap((of) =>
    readdirSync(`${root}packages/${of}/src`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => [...readFileSync(`${root}packages/${of}/src/${path}`, 'utf8').matchAll(name)])
      .map((match) => match[1] ?? ''),
  );
}
