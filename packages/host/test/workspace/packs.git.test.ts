import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { Git } from '../../src/adapters/shared/git/git.js';
import { joinPacks, worthJoining } from '../../src/adapters/workspace-git/keeping/join-packs.js';
import { ObjectReader } from '../../src/adapters/workspace-git/objects/object-reader.js';
import { openShadow } from '../../src/adapters/workspace-git/repository/shadow.js';
import type { Workspaces } from '../../src/ports/workspace.js';
import { Bench, contentOf, run } from './harness.js';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.dispose());

const UPKEEP = { looseObjects: 8, packs: 4 };

const storeOf = (id: string) => join(bench.root, 'remembered', id);
const packsOf = (id: string) =>
  readdirSync(join(storeOf(id), 'objects', 'pack')).filter((file) => file.endsWith('.pack'));

/** Edits one file that often, each time looked at. Gives the content ids, by their order. */
async function edit(workspaces: Workspaces, times: number, afterEach = () => {}): Promise<string[]> {
  const workspace = workspaces.open(bench.folder);
  bench.write('a', 'begin\n');
  const begin = await workspace.checkpoint({ freshness: 'exact' });
  const ids: string[] = [];
  for (let time = 0; time < times; time++) {
    bench.write('a', `${time}\n`);
    const [change] = await workspace.compare(begin, await workspace.checkpoint({ freshness: 'exact' }));
    ids.push(change?.after?.contentId ?? '');
    afterEach();
  }
  return ids;
}

async function expectAll(workspaces: Workspaces, id: string, contents: readonly string[]): Promise<void> {
  for (const [time, contentId] of contents.entries())
    expect(contentOf(await workspaces.read(id, contentId)).toString()).toBe(`${time}\n`);
  expect(run(storeOf(id), ['fsck', '--full', '--strict', '--no-dangling'])).toBe('');
}

it('a folder that is never left alone has few packs all the same, and everything in them can be read', async () => {
  const workspaces = bench.open({ upkeep: UPKEEP });
  const { id } = workspaces.open(bench.folder);
  let most = 0;
  const contents = await edit(workspaces, 100, () => {
    most = Math.max(most, packsOf(id).length);
  });
  await vi.waitUntil(() => packsOf(id).length <= UPKEEP.packs + 1, { timeout: 60_000 });
  // One is made before others are joined, and those that are joined go one by one.
  expect(most).toBeLessThanOrEqual(2 * UPKEEP.packs);
  await expectAll(workspaces, id, contents); // its process has read from packs that are gone
  await expectAll(bench.open(), id, contents);
}, 180_000);

it('who reads while packs are joined finds everything, and a kill in the middle loses nothing', async () => {
  const workspaces = bench.open({ upkeep: { looseObjects: 8, packs: 1_000 } });
  const { id } = workspaces.open(bench.folder);
  const contents = await edit(workspaces, 40);
  await workspaces.close();
  const reader = new ObjectReader(storeOf(id), nodeClock);
  expect(await reader.sizes(contents.slice(0, 1))).toEqual([2]); // it knows which packs there are
  const packs = join(storeOf(id), 'objects', 'pack');
  const before = readdirSync(packs);
  expect(packsOf(id).length).toBeGreaterThan(2);
  cpSync(packs, join(bench.root, 'copy'), { recursive: true });

  const shadow = await openShadow(new Git(), bench.folder, storeOf(id));
  await joinPacks(shadow);
  expect(packsOf(id).length).toBeLessThan(before.length / 2);
  const sizes = await Promise.all(contents.map((content) => reader.read(content)));
  expect(sizes.map((object) => object?.content.toString())).toEqual(contents.map((_, time) => `${time}\n`));
  await reader.close();

  // As if it had been killed before the old packs were removed, and then while one of them was.
  const gone = before.filter((file) => file.endsWith('.pack') && !readdirSync(packs).includes(file));
  for (const left of [before, before.filter((file) => file !== gone[0])]) {
    for (const file of left) cpSync(join(bench.root, 'copy', file), join(packs, file), { force: true });
    await expectAll(bench.open(), id, contents);
    await joinPacks(shadow);
    await expectAll(bench.open(), id, contents);
  }
}, 180_000);

it('packs that stay are at least twice as large as all smaller ones together', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 60 }), (sizes) => {
      const packs = sizes.map((bytes, name) => ({ name, bytes }));
      const joined = new Set(worthJoining(packs));
      expect(joined.size).not.toBe(1);
      const total = (some: readonly { bytes: number }[]) => some.reduce((sum, { bytes }) => sum + bytes, 0);
      let smaller = total([...joined]);
      for (const { bytes } of packs.filter((pack) => !joined.has(pack)).sort((one, other) => one.bytes - other.bytes)) {
        expect(bytes).toBeGreaterThanOrEqual(2 * smaller);
        smaller += bytes;
      }
    }),
  );
});
