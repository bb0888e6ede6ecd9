// A host with a store, a repository and a clock that the parent moves: `advance` milliseconds.
import { join } from 'node:path';
import { gitWorkspaces, nodeFolders, nodeWatcher, openSqliteStore } from '@moorage/host';
import { ManualClock } from '@moorage/host/testing';
import { makeRepository } from '../changesets/repository.mjs';
import { runHost } from './child-host.mjs';

/** Milliseconds that pass at once. */
const STEP = 1_000;

const clock = new ManualClock();
const repository = makeRepository(1_000);
repository.edit(10);
process.on('exit', () => repository.remove());

/** Says as many words as it is told, and thinks between them. */
const talker = {
  info: { provider: 'talker', displayName: 'Talker', description: 'Says words', models: [] },
  openChat: async () => ({ prompt, rewind: async () => {}, dispose: async () => {} }),
  dispose: async () => {},
};

async function prompt({ message, emit }) {
  for (let count = Number(message.text); count > 0; count--) {
    emit({ kind: 'text', text: 'word ' });
    if (count % 10 === 0) emit({ kind: 'reasoning', text: 'hm' });
  }
  return { kind: 'complete' };
}

const make = (folder) => ({
  store: openSqliteStore({ file: join(folder, 'store.sqlite') }),
  agents: [talker],
  folders: nodeFolders([folder, repository.folder]),
  clock,
  workspaces: gitWorkspaces({
    directory: join(folder, 'workspaces'),
    watcher: nodeWatcher(),
    clock,
    log: { write: () => {} },
  }),
});

await runHost(make, {
  folder: () => repository.folder,
  async advance(milliseconds) {
    for (let left = milliseconds; left > 0; left -= STEP) {
      clock.advance(Math.min(STEP, left));
      await new Promise(setImmediate); // what is due may set timers of its own
    }
    return clock.waiting;
  },
  /** What is in use once garbage is collected: resident memory also has what was in use before. */
  used() {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
});
