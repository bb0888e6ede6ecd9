// What taking changes back costs, against bare git giving the same result without keeping anything safe.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, createMemoryDisk, createMemoryStore, gitWorkspaces, nodeClock, nodeFolders } from '@moorage/host';
import { makeRepository } from './changesets/repository.mjs';
import { median } from './lib/fit.mjs';
import { connectTo } from './operations/connect.mjs';

const ROUNDS = 5;
/** Of rows that take seconds. */
const FEW_ROUNDS = 3;

export function cases({ smoke }) {
  const files = smoke ? 10 : 1_000;
  const many = smoke ? 20 : 5_000;
  const lines = smoke ? 200 : 100_000;
  return [
    {
      name: `revert of ${many} files, against checkout-index`,
      atMost: 3,
      work: 1,
      run: () => measured(() => manyFiles(many, checkoutIndex), smoke, FEW_ROUNDS),
    },
    {
      name: `undo of a revert of ${many} files, against checkout-index`,
      atMost: 3,
      work: 1,
      run: () => measured(() => undoOfMany(many), smoke, FEW_ROUNDS),
    },
    {
      name: `revert of ${files} files, against checkout-index`,
      atMost: 12,
      work: 1,
      run: () => measured(() => manyFiles(files, checkoutIndex), smoke),
    },
    {
      name: `revert of ${files} files, against git diff and git apply -R`,
      atMost: 8,
      work: 1,
      run: () => measured(() => manyFiles(files, applyReversed), smoke),
    },
    {
      name: `range revert in a file of ${lines} lines, against git diff and git apply -R`,
      atMost: 12,
      work: 1,
      run: () => measured(() => oneFile(lines), smoke),
    },
  ];
}

/** Both sides in turn, each after the same edit; ours is the whole request of a client. */
async function measured(prepare, smoke, rounds = ROUNDS) {
  const world = await prepare();
  const times = { baseline: [], ours: [] };
  for (let round = 0; round < (smoke ? 1 : rounds); round++) {
    for (const side of ['baseline', 'ours']) {
      world.edit();
      if (side === 'ours') await world.prepare?.();
      const started = performance.now();
      await world[side]();
      times[side].push(performance.now() - started);
      world.check(side);
    }
  }
  await world.end();
  return { baselineMs: median(times.baseline), oursMs: median(times.ours) };
}

async function manyFiles(count, baseline) {
  const repository = makeRepository(count);
  const client = await session(repository.folder);
  return {
    edit: () => repository.edit(count),
    baseline: () => baseline(repository.folder),
    ours: () => client.invoke({ operationId: 'revert' }),
    check: () => expectClean(repository.folder),
    end: () => end(client, repository),
  };
}

/** Git writes the files of its index; the undo writes those that the revert has replaced. */
async function undoOfMany(count) {
  const repository = makeRepository(count);
  const client = await session(repository.folder);
  return {
    edit: () => repository.edit(count),
    baseline: () => checkoutIndex(repository.folder),
    prepare: () => client.invoke({ operationId: 'revert' }),
    ours: () => client.invoke({ operationId: 'undo' }),
    check: (side) => {
      const left = side === 'ours' ? count : 0;
      const changed = git(repository.folder, ['status', '--porcelain']).toString().split('\n').length - 1;
      if (changed !== left) throw new Error(`${changed} files are changed, not ${left}`);
    },
    end: () => end(client, repository),
  };
}

async function oneFile(lines) {
  const repository = makeRepository(1);
  const file = join(repository.folder, 'large.txt');
  const text = Array.from({ length: lines }, (_, line) => `line ${line}\n`);
  const middle = lines >> 1;
  writeFileSync(file, text.join(''));
  git(repository.folder, ['add', '.']);
  git(repository.folder, ['commit', '-q', '-m', 'large']);
  const client = await session(repository.folder);
  const range = { start: { line: middle, character: 0 }, end: { line: middle + 1, character: 0 } };
  const target = { kind: 'range', resource: `${client.folderUri}/large.txt`, range };
  return {
    edit: () => writeFileSync(file, text.with(middle, 'changed\n').with(10, 'stays\n').join('')),
    baseline: () => {
      const patch = git(repository.folder, ['diff', '-U0']).toString();
      const [head, , second] = patch.split(/^(?=@@ )/m);
      git(repository.folder, ['apply', '-R', '--unidiff-zero'], head + second);
    },
    ours: () => client.invoke({ operationId: 'revert', target }),
    check: () => {
      if (readFileSync(file, 'utf8') !== text.with(10, 'stays\n').join('')) throw new Error('the wrong lines');
    },
    end: () => end(client, repository),
  };
}

/** A session in a folder of a host in this process, and its uncommitted changes. */
async function session(folder) {
  const directory = mkdtempSync(join(tmpdir(), 'moorage-bench-operations-'));
  const log = { write: () => {} };
  const workspaces = gitWorkspaces({ directory, clock: nodeClock, log });
  const host = createHost({
    store: createMemoryStore(createMemoryDisk()),
    agents: [silentAgent()],
    folders: nodeFolders([folder]),
    workspaces,
    log,
  });
  const client = await connectTo(host, folder);
  return {
    ...client,
    close: async () => {
      await host.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function end(client, repository) {
  await client.close();
  repository.remove();
}

/** An agent that is only there so that a session can be. */
function silentAgent() {
  return {
    info: { provider: 'none', displayName: 'None', description: 'does nothing', models: [] },
    openChat: () => Promise.reject(new Error('it never talks')),
    dispose: async () => {},
  };
}

function checkoutIndex(folder) {
  git(folder, ['checkout-index', '--force', '--all']);
}

function applyReversed(folder) {
  git(folder, ['apply', '-R'], git(folder, ['diff', '--binary']));
}

function expectClean(folder) {
  const left = git(folder, ['status', '--porcelain']).toString();
  if (left !== '') throw new Error(`not taken back: ${left.slice(0, 200)}`);
}

function git(folder, args, input) {
  const identity = ['-c', 'user.name=b', '-c', 'user.email=b@b'];
  return execFileSync('git', ['-C', folder, ...identity, ...args], { input, maxBuffer: 1e9 });
}
