import { appendFileSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Watcher, Watching } from '../ports/index.js';

/** The contract of Watcher, as a vitest suite. */
export function describeWatcher(name: string, create: () => Watcher): void {
  describe.each([true, false])(`${name} is a Watcher, recursive %s`, (recursive) => {
    let base: string;
    let folder: string;
    let seen: string[];
    let ends: number;
    let watcher: Watcher;
    let watching: Watching;
    beforeEach(async () => {
      base = realpathSync(await mkdtemp(join(tmpdir(), 'moorage-watcher-')));
      folder = join(base, 'folder');
      mkdirSync(join(folder, 'sub'), { recursive: true });
      writeFileSync(join(folder, 'old'), 'old');
      seen = [];
      ends = 0;
      watcher = create();
      watching = await watcher.watch(folder, recursive, {
        changed: (changes) => seen.push(...changes.map(({ type, path }) => `${type} ${path.slice(folder.length + 1)}`)),
        missed: () => seen.push('missed'),
        ended: () => void ends++,
      });
    });
    afterEach(async () => {
      watching.stop();
      await rm(base, { recursive: true, force: true });
    });
    const until = (...changes: string[]) =>
      expect.poll(() => seen, { timeout: 30_000, interval: 10 }).toEqual(expect.arrayContaining(changes));

    it('reports what was added, updated and deleted', async () => {
      writeFileSync(join(folder, 'new'), 'new');
      appendFileSync(join(folder, 'old'), 'more');
      await until('added new', 'updated old');
      renameSync(join(folder, 'new'), join(folder, 'renamed'));
      rmSync(join(folder, 'old'));
      await until('deleted new', 'added renamed', 'deleted old');
    });

    it('reports changes in subfolders only if recursive', async () => {
      writeFileSync(join(folder, 'sub/deep'), 'x');
      writeFileSync(join(folder, 'near'), 'x');
      await until('added near', ...(recursive ? ['added sub/deep'] : []));
      expect(seen.some((change) => change.endsWith('deep'))).toBe(recursive);
    });

    it('reports only what it is asked for', async () => {
      const told: string[] = [];
      const bounds = recursive ? { except: [join(folder, 'sub')] } : { only: ['near'] };
      const bounded = await watcher.watch(
        folder,
        recursive,
        {
          changed: (changes) => told.push(...changes.map(({ path }) => path)),
          missed: () => told.push('missed'),
          ended: () => told.push('ended'),
        },
        bounds,
      );
      const other = join(folder, recursive ? 'sub/deep' : 'far');
      writeFileSync(other, 'x');
      writeFileSync(join(folder, 'near'), 'x');
      await expect.poll(() => told, { timeout: 30_000, interval: 10 }).toContain(join(folder, 'near'));
      expect(told).not.toContain(other);
      rmSync(folder, { recursive: true });
      await expect.poll(() => told, { timeout: 30_000, interval: 10 }).toContain('ended');
      bounded.stop();
    });

    it('reports once that the folder is gone', async () => {
      rmSync(folder, { recursive: true });
      await until('deleted ');
      await expect.poll(() => ends, { timeout: 30_000, interval: 10 }).toBe(1);
    });

    it('reports nothing once stopped', async () => {
      watching.stop();
      watching.stop();
      writeFileSync(join(folder, 'late'), 'x');
      const later: string[] = [];
      const other = await create().watch(folder, recursive, {
        changed: (changes) => later.push(...changes.map(({ path }) => path)),
        missed: () => {},
        ended: () => {},
      });
      writeFileSync(join(folder, 'later'), 'x');
      await expect.poll(() => later, { timeout: 30_000, interval: 10 }).toContain(join(folder, 'later'));
      other.stop();
      expect(seen).toEqual([]);
    });

    it('has reported everything once it says that it caught up, where it can tell', async () => {
      for (let round = 0; round < 20; round++) {
        writeFileSync(join(folder, `round-${round}`), 'x');
        if (!(await watcher.caughtUp?.())) await until(`added round-${round}`);
        await watching.settled?.();
        expect(seen).toContain(`added round-${round}`);
      }
    });

    it('rejects for a missing folder', async () => {
      const listener = { changed: () => {}, missed: () => {}, ended: () => {} };
      await expect(create().watch(join(base, 'missing'), recursive, listener)).rejects.toMatchObject({
        name: 'WatchError',
      });
    });
  });
}
