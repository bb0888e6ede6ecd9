import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Scratch } from '../../src/adapters/shared/git/scratch.js';

const root = mkdtempSync(join(tmpdir(), 'moorage-scratch-'));
afterAll(() => rmSync(root, { recursive: true }));

it('takes away what a life that was killed left behind, and its own folders when they are done with', async () => {
  const place = join(root, 'scratch');
  mkdirSync(join(place, 'use-left'), { recursive: true });
  writeFileSync(join(place, 'use-left', 'index'), 'of an earlier life');
  const scratch = new Scratch(place);
  const used = await scratch.use(async (folder) => {
    writeFileSync(join(folder, 'index'), 'now');
    expect(existsSync(join(place, 'use-left'))).toBe(false);
    return folder;
  });
  await expect(scratch.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(existsSync(used)).toBe(false);
  expect(readdirSync(place)).toEqual([]);
});
