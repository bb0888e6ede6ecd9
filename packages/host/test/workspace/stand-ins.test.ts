import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { Scratch } from '../../src/adapters/shared/git/scratch.js';
import { ObjectWriter } from '../../src/adapters/workspace-git/object-writer.js';
import { Room } from '../../src/adapters/workspace-git/room.js';
import { StandIns } from '../../src/adapters/workspace-git/stand-ins.js';

let top = '';
let directory = '';
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'ahpd-folder-'));
  directory = mkdtempSync(join(tmpdir(), 'ahpd-store-'));
});
afterEach(() => {
  for (const folder of [top, directory]) rmSync(folder, { recursive: true, force: true });
});

// Such as the temporary files that programs write before they give them their name.
it('nothing stands for a file that goes away while it is looked at', async () => {
  const standIns = new StandIns(
    top,
    directory,
    new ObjectWriter(directory, 'sha1', nodeClock, new Scratch(join(directory, 'scratch'))),
    new Room(directory),
  );
  const names = Array.from({ length: 200 }, (_, index) => `${index}.tmp`);
  for (let round = 0; round < 20; round++) {
    for (const name of names) writeFileSync(join(top, name), 'x');
    const looking = standIns.replace(names);
    for (let turn = 0; turn < round % 5; turn++) await setImmediate();
    for (const name of names) rmSync(join(top, name));
    expect(await looking).toEqual({ kept: names, replaced: [] });
  }
});
