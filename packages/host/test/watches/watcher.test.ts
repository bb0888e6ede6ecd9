import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nodeWatcher } from '../../src/adapters/watcher-node/index.js';
import { type WatchFolder, watchTree } from '../../src/adapters/watcher-node/inotify.js';
import { describeWatcher } from '../../src/testing/watcher-contract.js';

describeWatcher('watcher-node', () => nodeWatcher());
describeWatcher('watcher-node with one watch for a tree', () => nodeWatcher({ platform: 'darwin' }));

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-watcher-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.runIf(process.platform === 'linux')(
  'has caught up also if its time was over before it could read what was reported',
  async () => {
    const watcher = nodeWatcher({ marks: join(folder, 'marks') });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const caughtUp = watcher.caughtUp?.();
      vi.advanceTimersByTime(60_000); // as after a block of the event loop, in which timers come first
      expect(await caughtUp).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  },
);

it.runIf(process.platform === 'linux')(
  'keeps no watch once nothing is watched, and finds out again how far it is',
  async () => {
    const marks = join(folder, 'marks');
    const watched = join(folder, 'watched');
    for (const each of [marks, watched]) mkdirSync(each);
    const watcher = nodeWatcher({ marks });
    const nothing = { changed: () => {}, missed: () => {}, ended: () => {} };
    for (const recursive of [true, false]) {
      const watchings = [
        await watcher.watch(watched, recursive, nothing),
        await watcher.watch(watched, recursive, nothing),
      ];
      expect(await watcher.caughtUp?.()).toBe(true);
      expect([marks, watched].map(isWatched)).toEqual([true, true]);
      watchings[0]?.stop();
      expect(isWatched(marks)).toBe(true);
      for (const watching of watchings) watching.stop();
      await expect.poll(() => [marks, watched].map(isWatched), SOON).toEqual([false, false]);
    }
    expect(await watcher.caughtUp?.()).toBe(true);
    await expect.poll(() => isWatched(marks), SOON).toBe(false);
  },
);

/** The system is told a moment later, once the event under way has been reported. */
const SOON = { timeout: 30_000, interval: 10 };

/** Whether this process watches a folder, as the system sees it. */
function isWatched(path: string): boolean {
  const inode = `ino:${statSync(path).ino.toString(16)} `;
  return readdirSync('/proc/self/fdinfo').some((name) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${name}`, 'utf8').includes(inode);
    } catch {
      return false; // closed meanwhile
    }
  });
}

it('a folder that may not be entered does not keep the others from being watched, until it may', async () => {
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'locked'));
  mkdirSync(join(folder, 'open'));
  writeFileSync(join(folder, 'locked/inner'), 'x');
  chmodSync(join(folder, 'locked'), 0);
  const seen: string[] = [];
  const toldOf = (path: string) => expect.poll(() => seen, { timeout: 30_000, interval: 10 }).toContain(path);
  await asOtherUser(async () => {
    const watching = await nodeWatcher().watch(folder, true, {
      changed: (changes) => seen.push(...changes.map(({ path }) => path.slice(folder.length + 1))),
      missed: () => seen.push('missed'),
      ended: () => seen.push('ended'),
    });
    asRoot(() => writeFileSync(join(folder, 'open/new'), 'x'));
    await toldOf('open/new');
    asRoot(() => chmodSync(join(folder, 'locked'), 0o755));
    await toldOf('locked/inner');
    asRoot(() => writeFileSync(join(folder, 'locked/later'), 'x'));
    await toldOf('locked/later');
    watching.stop();
  });
  expect(seen).not.toContain('missed');
});

it.runIf(process.platform === 'linux')('says that it is partial while the system has no watches left', async () => {
  let left = 2;
  const watchFolder: WatchFolder = (...args) => {
    if (left === 0)
      throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), { code: 'ENOSPC' });
    left--;
    return watch(...args);
  };
  const seen: string[] = [];
  const toldOf = (path: string) => expect.poll(() => seen, { timeout: 30_000, interval: 10 }).toContain(path);
  const listener = {
    changed: (changes: readonly { path: string }[]) =>
      seen.push(...changes.map(({ path }) => path.slice(folder.length + 1))),
    missed: () => seen.push('missed'),
    partial: ({ name, message }: Error) => seen.push(`partial ${name} ${/ENOSPC/.test(message)}`),
    ended: () => seen.push('ended'),
  };
  const watching = await watchTree(folder, listener, [], watchFolder);
  mkdirSync(join(folder, 'one'));
  await toldOf('one');
  await watching.settled?.();
  expect([left, seen]).toEqual([0, ['one']]);
  mkdirSync(join(folder, 'one/deep/deeper'), { recursive: true });
  await toldOf('partial WatchError true');
  await toldOf('missed');
  writeFileSync(join(folder, 'one/near'), 'x');
  await toldOf('one/near'); // the rest is watched as before
  expect(await watching.complete?.()).toBe(false);
  left = 1;
  expect(await watching.complete?.()).toBe(false);
  left = 10;
  expect(await watching.complete?.()).toBe(true);
  writeFileSync(join(folder, 'one/deep/deeper/file'), 'x');
  await toldOf('one/deep/deeper/file');
  watching.stop();
  expect(seen.filter((line) => line.startsWith('partial'))).toHaveLength(1);
});

/** The system refuses nothing to root. */
async function asOtherUser(work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65534);
  await work().finally(() => process.seteuid?.(0));
}

function asRoot(work: () => void): void {
  const user = process.geteuid?.() ?? 0;
  const isOther = process.getuid?.() !== user;
  if (isOther) process.seteuid?.(0);
  work();
  if (isOther) process.seteuid?.(user);
}
