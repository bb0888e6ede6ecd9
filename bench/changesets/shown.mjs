import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, createMemoryDisk, createMemoryStore, gitWorkspaces, nodeClock, nodeFolders } from '@moorage/host';
import { changesetUri } from '@moorage/protocol';
import { median } from '../lib/fit.mjs';
import { connectTo } from '../operations/connect.mjs';
import { makeRepository } from './repository.mjs';

/**
 * One edit of a file in a changeset that a client has open, from when the watcher has told of it (its wait for quiet is over) to when the
 * client has the action; and git, asked for the same file.
 */
export async function oneEditShown(files, changed, rounds) {
  const it = await open(files, changed);
  const times = { baseline: [], ours: [] };
  for (let round = 0; round < rounds; round++) {
    const ms = await it.edit();
    if (round < Math.floor(rounds / 3)) continue; // not warm yet
    times.ours.push(ms);
    const started = performance.now();
    execFileSync('git', ['-C', it.folder, 'diff', '--numstat', '--', 'd0/file0.txt']);
    times.baseline.push(performance.now() - started);
  }
  await it.close();
  return { baselineMs: median(times.baseline), oursMs: median(times.ours) };
}

async function open(files, changed) {
  const repository = makeRepository(files);
  const { folder } = repository;
  const directory = mkdtempSync(join(tmpdir(), 'moorage-bench-shown-'));
  const log = { write: () => {} };
  const workspaces = gitWorkspaces({ directory, clock: nodeClock, log });
  const agents = [
    { info: { provider: 'none', displayName: 'None', description: '', models: [] }, dispose: async () => {} },
  ];
  const host = createHost({
    store: createMemoryStore(createMemoryDisk()),
    agents,
    folders: nodeFolders([folder]),
    workspaces,
    log,
  });
  const { peer, session, next } = await connectTo(host, folder);
  let toldAt = 0;
  const watching = new Promise((resolve) => {
    workspaces.open(folder).watch({
      watching: () => resolve(undefined),
      settled: () => {
        toldAt = performance.now();
      },
    });
  });
  await watching;
  repository.edit(changed);
  const uri = changesetUri(session, { kind: 'uncommitted' });
  const isOn = (type) => (params) => params?.channel === uri && params.action?.type === type;
  const ready = next((params) => isOn('changeset/statusChanged')(params) && params.action.status === 'ready');
  await peer.request('subscribe', { channel: uri });
  await ready;
  return {
    folder,
    async edit() {
      const shown = next(isOn('changeset/fileSet'));
      repository.edit(1);
      await shown;
      return performance.now() - toldAt;
    },
    async close() {
      await host.close();
      rmSync(directory, { recursive: true, force: true });
      repository.remove();
    },
  };
}
