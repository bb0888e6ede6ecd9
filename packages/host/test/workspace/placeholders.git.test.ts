import { mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { Scratch } from '../../src/adapters/shared/git/scratch.js';
import { ObjectWriter } from '../../src/adapters/workspace-git/objects/object-writer.js';
import { Placeholders } from '../../src/adapters/workspace-git/objects/placeholders.js';
import { Quota } from '../../src/adapters/workspace-git/objects/quota.js';
import { Bench } from './harness.js';

const bench = new Bench();
afterAll(() => bench.dispose());

let top = '';
let directory = '';
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'moorage-folder-'));
  directory = mkdtempSync(join(tmpdir(), 'moorage-store-'));
});
afterEach(() => {
  for (const folder of [top, directory]) rmSync(folder, { recursive: true, force: true });
});

// Such as the temporary files that programs write before they give them their name.
it('nothing stands for a file that goes away while it is looked at', async () => {
  const placeholders = new Placeholders(
    top,
    directory,
    new ObjectWriter(directory, 'sha1', nodeClock, new Scratch(join(directory, 'scratch'))),
    new Quota(directory),
  );
  const names = Array.from({ length: 200 }, (_, index) => `${index}.tmp`);
  for (let round = 0; round < 20; round++) {
    for (const name of names) writeFileSync(join(top, name), 'x');
    const looking = placeholders.replace(names);
    for (let turn = 0; turn < round % 5; turn++) await setImmediate();
    for (const name of names) rmSync(join(top, name));
    expect(await looking).toEqual({ kept: names, replaced: [] });
  }
});

it('those of a large file that changed often are forgotten with what they stood for', async () => {
  const TIMES = 10;
  bench.write('large', '');
  truncateSync(join(bench.folder, 'large'), 51 * 1024 * 1024); // takes no room on the disk
  const workspace = bench.open({ tracks: false }).open(bench.folder);
  const states: string[] = [];
  for (let time = 1; time <= TIMES; time++) {
    utimesSync(join(bench.folder, 'large'), time, time);
    states.push(await workspace.checkpoint({ freshness: 'exact' }));
  }
  const listed = () =>
    readFileSync(join(bench.root, 'remembered', workspace.id, 'stand-ins'), 'utf8').split('\n').length - 1;
  expect(listed()).toBe(TIMES);
  const [first = '', last = ''] = [states[0], states.at(-1)];
  await workspace.retain({ ids: [first, last], olderThan: Date.now() + 60_000 });
  expect(listed()).toBe(2);
  const notKept = { reason: 'tooLarge', size: 51 * 1024 * 1024 };
  expect(await workspace.compare(first, last)).toMatchObject([{ before: { notKept }, after: { notKept } }]);
});
