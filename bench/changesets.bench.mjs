// What remembering and comparing files costs, against bare git giving the same answer.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitWorkspaces, nodeClock } from '@ahpd/host';
import { makeRepository } from './changesets/repository.mjs';

const ROUNDS = 7;

export function cases({ smoke }) {
  const sizes = smoke
    ? [[20, 2]]
    : [
        [1_000, 10],
        [10_000, 10],
        [10_000, 1_000],
      ];
  return sizes.flatMap(([files, changed]) => [
    {
      name: `checkpoint of ${files} files, ${changed} changed, against add -A and write-tree`,
      atMost: 1.2,
      work: 1,
      run: () =>
        measured(
          files,
          changed,
          smoke,
          { baseline: bareCheckpoint, ours: ({ workspace }) => workspace.checkpoint() },
          'edited',
        ),
    },
    {
      name: `changes of ${files} files, ${changed} changed, against diff-tree`,
      atMost: 1.3,
      work: 1,
      run: () =>
        measured(
          files,
          changed,
          smoke,
          { baseline: bareDiff, ours: ({ workspace, from, to }) => workspace.compare(from, to) },
          'compared',
        ),
    },
    {
      name: `contents of ${changed} of ${files} files, against one cat-file --batch`,
      atMost: 1.3,
      work: 1,
      run: () => measured(files, changed, smoke, { baseline: bareContents, ours: ourContents }, 'compared'),
    },
  ]);
}

/** Both sides in turn, each round after a fresh edit of the same files: at once, or when the changes are known. */
async function measured(files, changed, smoke, { baseline, ours }, when) {
  const repository = makeRepository(files);
  const directory = mkdtempSync(join(tmpdir(), 'ahpd-bench-workspaces-'));
  const workspaces = gitWorkspaces({ directory, clock: nodeClock, log: { write: () => {} } });
  const workspace = workspaces.open(repository.folder);
  const world = {
    ...repository,
    workspaces,
    workspace,
    objects: join(directory, workspace.id, 'objects'),
    index: join(directory, 'index'),
  };
  bareCheckpoint(world); // warms the index of the baseline, as ours is
  const times = { baseline: [], ours: [] };
  for (let round = 0; round < (smoke ? 1 : ROUNDS); round++) {
    world.from = await workspace.checkpoint();
    repository.edit(changed);
    if (when === 'compared') {
      world.to = await workspace.checkpoint();
      world.changes = await workspace.compare(world.from, world.to);
    }
    times.baseline.push(await timed(() => baseline(world)));
    times.ours.push(await timed(() => ours(world)));
  }
  await workspaces.close();
  repository.remove();
  rmSync(directory, { recursive: true, force: true });
  return { baselineMs: median(times.baseline), oursMs: median(times.ours) };
}

function bareCheckpoint({ folder, index }) {
  const env = { ...process.env, GIT_INDEX_FILE: index };
  execFileSync('git', ['-C', folder, 'add', '-A'], { env });
  execFileSync('git', ['-C', folder, 'write-tree'], { env });
}

function bareDiff({ from, to, folder, objects }) {
  const env = { ...process.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  execFileSync(
    'git',
    ['--git-dir', join(folder, '.git'), 'diff-tree', '-r', '-z', '--raw', '--numstat', '-M', from, to],
    { env, maxBuffer: 1e9 },
  );
}

function bareContents({ changes, folder, objects }) {
  const env = { ...process.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  const input = changes.flatMap(({ before, after }) => [before.contentId, after.contentId]).join('\n');
  execFileSync('git', ['--git-dir', join(folder, '.git'), 'cat-file', '--batch'], { env, input, maxBuffer: 1e9 });
}

function ourContents({ workspaces, workspace, changes }) {
  const ids = changes.flatMap(({ before, after }) => [before.contentId, after.contentId]);
  return Promise.all(ids.map((contentId) => workspaces.read(workspace.id, contentId)));
}

async function timed(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
