import { afterEach, beforeEach, expect, it } from 'vitest';
import { Bench, contentOf } from './harness.js';

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
  const before = await workspace.checkpoint();
  for (let n = 0; n < CHANGED; n++) bench.write(name(n), `${n}\n`.repeat(21));
  const changes = await workspace.compare(before, await workspace.checkpoint());
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
  const before = await workspace.checkpoint();
  bench.write('large', large);
  const [change] = await workspace.compare(before, await workspace.checkpoint());
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
