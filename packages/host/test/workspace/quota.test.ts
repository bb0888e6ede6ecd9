import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Quota } from '../../src/adapters/workspace-git/objects/quota.js';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'moorage-store-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

let stored = 0;
function store(bytes: number): void {
  mkdirSync(join(directory, 'objects/ab'), { recursive: true });
  writeFileSync(join(directory, 'objects/ab', `${stored++}`), Buffer.alloc(bytes));
}

/** Looks that find one file each, until there is no room; half of each is stored, as contents become smaller. */
async function fill(quota: Quota, bytes: number): Promise<number> {
  for (let looks = 0; looks < 1_000; looks++) {
    quota.begin();
    if (!(await quota.reserve(bytes))) return looks;
    store(bytes / 2);
  }
  throw new Error('there is no end to it');
}

it('many small looks fill a store as well as a large one, by what they take on disk', async () => {
  const quota = new Quota(directory, { maxBytes: 1_000, worthMeasuring: 50 });
  const looks = await fill(quota, 10);
  expect(looks).toBeGreaterThanOrEqual(180); // 10 bytes take 5
  expect(looks).toBeLessThanOrEqual(210);
  quota.begin();
  expect(await quota.reserve(10), 'it stays full').toBe(false);
});

it('one look takes no more than there is room for, none of which is stored yet', async () => {
  const quota = new Quota(directory, { maxBytes: 1_000, worthMeasuring: 50 });
  store(600);
  quota.begin();
  let taken = 0;
  while (taken < 100 && (await quota.reserve(10))) taken++;
  expect(taken).toBe(40);
});
