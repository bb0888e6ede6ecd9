import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Bench, contentOf } from './harness.js';
import { Truth } from './truth.js';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.dispose());

const FILES = 5_000;
const CHANGED = 500;
const name = (n: number) => `folder ${n % 50}/file ${n}`;

it('many files, many of them changed, are read back each as it was', async () => {
  bench.commit(Object.fromEntries(Array.from({ length: FILES }, (_, n) => [name(n), `${n}\n`.repeat(20)])));
  const workspaces = bench.open();
  const workspace = workspaces.open(bench.folder);
  const before = await workspace.checkpoint({ freshness: 'exact' });
  for (let n = 0; n < CHANGED; n++) bench.write(name(n), `${n}\n`.repeat(21));
  const changes = await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }));
  expect(changes).toHaveLength(CHANGED);
  expect(changes.every(({ added, removed }) => added === 1 && removed === 0)).toBe(true);
  await workspace.keep(changes);
  bench.remove('.git');
  // All asked at once: the answers must find their questions.
  const contents = await Promise.all(changes.map(({ after }) => workspaces.read(workspace.id, after?.contentId ?? '')));
  for (const [at, change] of changes.entries()) {
    const n = change.after?.path.split(' ').at(-1);
    expect(contentOf(contents[at]).toString()).toBe(`${n}\n`.repeat(21));
  }
});

it('a large content comes whole, and what is not there is nothing', async () => {
  const workspaces = bench.open();
  const workspace = workspaces.open(bench.folder);
  const large = Buffer.alloc(20_000_000, 'some bytes\n');
  const before = await workspace.checkpoint({ freshness: 'exact' });
  bench.write('large', large);
  const [change] = await workspace.compare(before, await workspace.checkpoint({ freshness: 'exact' }));
  const id = change?.after?.contentId ?? '';
  const asked = ['0'.repeat(40), id, 'nonsense', id].map((content) => workspaces.read(workspace.id, content));
  const found = await Promise.all(asked);
  expect(found.map((content) => (content instanceof Uint8Array ? large.equals(content) : content))).toEqual([
    undefined,
    true,
    undefined,
    true,
  ]);
});

it('many files of all kinds are what git says they are', async () => {
  bench.commit(Object.fromEntries(Array.from({ length: 260 }, (_, n) => [name(n), `${n}\n`.repeat(20)])));
  const workspace = bench.open().open(bench.folder);
  await workspace.checkpoint({ freshness: 'exact' });
  for (let n = 0; n < 240; n++) bench.write(name(n), `${n}\n`.repeat(21));
  for (let n = 240; n < 250; n++) bench.remove(name(n));
  bench.write('empty', '');
  bench.write('one byte', 'x');
  bench.write('a line\nend in its name', 'text\r\n');
  bench.write('executable', '#!/bin/sh\n', 0o755);
  bench.write('binary', Buffer.from([0, 1, 2, 255]));
  symlinkSync('empty', join(bench.folder, 'link'));
  const truth = new Truth(join(bench.root, 'truth'));
  expect(await workspace.checkpoint({ freshness: 'exact' })).toBe(truth.remember(bench.folder, []));
});

it('many new contents are one file in the store, and not a file each', async () => {
  for (let n = 0; n < CHANGED; n++) bench.write(name(n), `${n}\n`.repeat(20));
  const workspace = bench.open().open(bench.folder);
  await workspace.checkpoint({ freshness: 'exact' });
  const objects = join(bench.root, 'remembered', workspace.id, 'objects');
  expect(namesIn(join(objects, 'pack')).filter((file) => file.endsWith('.pack'))).toHaveLength(1);
  const FOLDERS = 50; // what lists the names of each is an object of its own
  expect(looseIn(objects).length).toBeLessThanOrEqual(FOLDERS + 1);
});

/** Objects that are a file each; they may be packed meanwhile. */
function looseIn(objects: string): string[] {
  return namesIn(objects).flatMap((name) => (/^[0-9a-f]{2}$/.test(name) ? namesIn(join(objects, name)) : []));
}

function leave(objects: string, id: string, bytes: string): string {
  const file = join(objects, id.slice(0, 2), id.slice(2));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  return file;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

it('what many edits leave is packed, and all of it can still be read', async () => {
  const FILES_EDITED = 140; // few enough to be single files
  const EDITS = 24; // together more than may be a file each
  const write = (edit: number) => {
    for (let n = 0; n < FILES_EDITED; n++) bench.write(name(n), `${n} ${edit}\n`);
  };
  write(0);
  const workspaces = bench.open();
  const workspace = workspaces.open(bench.folder);
  const states = [await workspace.checkpoint({ freshness: 'exact' })];
  const objects = join(bench.root, 'remembered', workspace.id, 'objects');
  const loose = () => looseIn(objects).length;
  // What a power failure leaves of an object: nothing can be read from it, and nothing may be kept up by it.
  const damaged = [leave(objects, 'ab'.repeat(20), ''), leave(objects, 'cd'.repeat(20), 'no object')];
  let most = 0;
  for (let edit = 1; edit <= EDITS; edit++) {
    write(edit);
    states.push(await workspace.checkpoint({ freshness: 'exact' }));
    most = Math.max(most, loose());
  }
  await vi.waitUntil(() => loose() < 3_000, { timeout: 60_000 });
  expect(most).toBeGreaterThan(2_500);
  expect(damaged.map((file) => existsSync(file))).toEqual([false, true]);
  for (const [edit, state] of states.slice(1).entries()) {
    const [change] = await workspace.compare(states[0] ?? '', state);
    expect(contentOf(await workspaces.read(workspace.id, change?.after?.contentId ?? '')).toString()).toBe(
      `0 ${edit + 1}\n`,
    );
  }
  await workspace.keep(await workspace.compare(states[0] ?? '', states[1] ?? ''));
}, 180_000);
