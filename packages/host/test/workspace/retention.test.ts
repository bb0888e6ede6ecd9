import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Bench, describeChange } from './harness.js';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.dispose());

const soon = () => Date.now() + 60_000;

it('what is wanted stays as it is, what is not goes, and the store becomes small', async () => {
  bench.commit({ a: 'committed\n', 'sub/b': 'committed too\n' });
  const workspaces = bench.open();
  const workspace = workspaces.open(bench.folder);
  const begin = await workspace.checkpoint();
  await workspace.keepNames(begin);
  for (let n = 0; n < 20; n++) {
    bench.write('a', `edit ${n}\n`);
    await workspace.keep(await workspace.compare(begin, await workspace.checkpoint()));
  }
  const middle = await workspace.compare(begin, await workspace.checkpoint());
  const unwanted = middle[0]?.after?.contentId ?? '';
  bench.write('a', 'the last\n');
  const last = await workspace.checkpoint();
  const changes = await workspace.compare(begin, last);
  await workspace.keep(changes);
  const files = () => readdirSync(join(bench.root, 'remembered', workspace.id, 'objects', 'pack')).length;
  const before = files();
  const ids = [begin, ...changes.flatMap((change) => [change.before?.contentId ?? '', change.after?.contentId ?? ''])];
  await workspace.retain({ ids: [...ids, 'f'.repeat(40)], olderThan: 0 });
  expect(files(), 'what is young stays').toBe(before);
  await workspace.retain({ ids, olderThan: soon() });
  expect(files()).toBeLessThan(before / 4);
  bench.remove('.git');
  const later = bench.open();
  const again = later.open(bench.folder);
  expect(await later.read(workspace.id, unwanted)).toBeUndefined();
  expect(String(await later.read(workspace.id, changes[0]?.after?.contentId ?? ''))).toBe('the last\n');
  expect(String(await later.read(workspace.id, changes[0]?.before?.contentId ?? ''))).toBe('committed\n');
  expect((await again.compare(begin, await again.checkpoint())).map(describeChange)).toEqual(
    changes.map(describeChange),
  );
});

it('folders that no session uses are forgotten once they are old enough', async () => {
  const workspaces = bench.open();
  const workspace = workspaces.open(bench.folder);
  await workspace.checkpoint();
  await workspaces.close();
  const later = bench.open();
  await later.retainOnly([workspace.id], soon());
  await later.retainOnly([], 0);
  expect(readdirSync(join(bench.root, 'remembered'))).toEqual([workspace.id]);
  await later.retainOnly([], soon());
  expect(readdirSync(join(bench.root, 'remembered'))).toEqual([]);
});
