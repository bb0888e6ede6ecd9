import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Bench } from './harness.js';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.dispose());

function leave(id: string, name: string): string {
  const path = join(bench.root, 'remembered', id, 'objects', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'half');
  utimesSync(path, 1, 1);
  return path;
}

it('what a git left that was killed with the host is gone after the next start, and nothing else', async () => {
  bench.commit({ 'file.txt': 'one\n' });
  const workspace = bench.open().open(bench.folder); // never closed, as by a kill
  const state = await workspace.checkpoint({ freshness: 'exact' });
  const left = ['pack/tmp_pack_abc', 'pack/tmp_idx_abc', 'ab/tmp_obj_abc'].map((name) => leave(workspace.id, name));
  const other = leave(workspace.id, 'pack/something');
  const again = bench.open();
  await vi.waitUntil(() => !left.some((path) => existsSync(path)), { timeout: 30_000, interval: 20 });
  expect(existsSync(other)).toBe(true);
  expect(await again.open(bench.folder).checkpoint({ freshness: 'exact' })).toBe(state);
});
