import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Workspace } from '../../src/ports/workspace.js';
import { Bench } from './harness.js';

const MOST = 40;

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.dispose());

function write(folder: string, count: number): void {
  for (let at = 0; at < count; at++) bench.write(`${folder}${at % 4}/${at}.json`, `${at}\n`);
}

async function changed(workspace: Workspace, from: string): Promise<string[]> {
  const changes = await workspace.compare(from, await workspace.checkpoint({ freshness: 'exact' }));
  return changes.map(({ before, after }) => after?.path ?? before?.path ?? '').toSorted();
}

const open = (tracks: boolean) => bench.open({ tracks, mostNewFiles: MOST }).open(bench.folder);

it.each([true, false])('a folder of very many new files is left out, and said to be (tracked: %s)', async (tracks) => {
  bench.commit({ 'src/a.ts': 'one\n', 'src/data/known.json': 'one\n' });
  write('src/data/set', MOST + 1);
  const workspace = open(tracks);
  const before = await workspace.checkpoint({ freshness: 'exact' });
  expect(await workspace.reference('head', { freshness: 'exact' })).toBe(before);
  expect((await workspace.describe({ freshness: 'exact' })).problem).toMatch(/more than 40 new files in src\/data/);
  bench.write('src/data/set1/1.json', 'edited\n');
  bench.write('src/data/known.json', 'edited\n');
  bench.write('src/new.ts', 'new\n');
  expect(await changed(workspace, before)).toEqual(['src/data/known.json', 'src/new.ts']);
});

it('it is looked into again once it is committed, ignored or smaller', async () => {
  bench.commit({ a: 'one\n' });
  write('data/', MOST + 1);
  const workspace = open(false);
  const before = await workspace.checkpoint({ freshness: 'exact' });
  expect((await workspace.describe({ freshness: 'exact' })).problem).toMatch(/in data,/);
  bench.git('add', '--all');
  bench.git('commit', '-q', '-m', 'data');
  write('more/', MOST + 1);
  expect(await changed(workspace, (await workspace.reference('head', { freshness: 'exact' })) ?? '')).toEqual([]);
  expect((await workspace.describe({ freshness: 'exact' })).problem).toMatch(/in more,/);
  expect(await changed(workspace, before)).toHaveLength(MOST + 1);
  bench.write('.gitignore', 'more/\n');
  await workspace.checkpoint({ freshness: 'exact' });
  expect((await workspace.describe({ freshness: 'exact' })).problem).toBeUndefined();
  rmSync(join(bench.folder, 'more'), { recursive: true });
  expect(await changed(workspace, (await workspace.reference('head', { freshness: 'exact' })) ?? '')).toEqual([
    '.gitignore',
  ]);
});

it.each([
  ['files right in the folder', '', 'this folder'],
  ['many small folders', 'each', 'each'],
])('so are %s', async (_what, prefix, named) => {
  bench.commit({ a: 'one\n', 'known/file': 'one\n' });
  for (let at = 0; at < 3 * MOST; at++) bench.write(prefix === '' ? `${at}.json` : `${prefix}${at}/file`, `${at}\n`);
  const workspace = open(false);
  const before = await workspace.checkpoint({ freshness: 'exact' });
  expect((await workspace.describe({ freshness: 'exact' })).problem).toContain(named);
  bench.write('known/new', 'new\n');
  bench.write('a', 'two\n');
  expect(await changed(workspace, before)).toEqual(['a', 'known/new']);
});
