import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitWorkspaces, nodeClock } from '@moorage/host';
import { median } from '../lib/fit.mjs';
import { makeRepository } from './repository.mjs';

/** A repository, what the host remembers of it, and an index of the baseline's own that is as warm. */
export async function makeWorld(files, options = {}) {
  const repository = makeRepository(files);
  const directory = mkdtempSync(join(tmpdir(), 'moorage-bench-workspaces-'));
  const workspaces = gitWorkspaces({ directory, clock: nodeClock, log: { write: () => {} }, ...options });
  const workspace = workspaces.open(repository.folder);
  const index = join(directory, 'index');
  const env = { ...process.env, GIT_INDEX_FILE: index, GIT_OPTIONAL_LOCKS: '0' };
  const git = (...args) =>
    execFileSync('git', ['-C', repository.folder, ...args], {
      env,
      maxBuffer: 1e9,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const world = {
    ...repository,
    workspaces,
    workspace,
    git,
    objects: join(directory, workspace.id, 'objects'),
    async dispose() {
      await workspaces.close();
      repository.remove();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  bareCheckpoint(world);
  await workspace.checkpoint({ freshness: 'exact' });
  return world;
}

export function bareCheckpoint({ git }) {
  git('add', '-A');
  git('write-tree');
}

/** Does something and waits until the watcher has told of it. */
export async function told({ workspace }, change) {
  let stop = () => {};
  const settled = new Promise((resolve) => {
    stop = workspace.watch({ settled: resolve });
  });
  change();
  const again = setInterval(change, 500); // a watcher that is just starting has not seen the first
  await settled;
  clearInterval(again);
  stop();
}

/** Both sides in turn, each after a fresh change; the medians. */
export async function inTurn(rounds, change, baseline, ours) {
  const times = { baseline: [], ours: [] };
  for (let round = 0; round < rounds; round++) {
    await change();
    times.baseline.push(await timed(baseline));
    times.ours.push(await timed(ours));
  }
  return { baselineMs: median(times.baseline), oursMs: median(times.ours) };
}

async function timed(run) {
  const started = performance.now();
  const stopped = await run();
  return (typeof stopped === 'number' ? stopped : performance.now()) - started;
}
