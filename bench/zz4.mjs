import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeWorld } from './changesets/world.mjs';

const n = Number(process.argv[2] ?? 1000);
const it = await makeWorld(1000);
const q = (v, p) => v.toSorted((x, y) => x - y)[(v.length * p) | 0];
const env = { ...process.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: it.objects };
const A = [],
  B = [],
  C = [],
  D = [];
for (let i = 0; i < 9; i++) {
  const from = await it.workspace.checkpoint();
  it.edit(n);
  const to = await it.workspace.checkpoint();
  let t = performance.now();
  execFileSync(
    'git',
    ['--git-dir', join(it.folder, '.git'), 'diff-tree', '-r', '-z', '--raw', '--numstat', '-M', from, to],
    { env, maxBuffer: 1e9 },
  );
  A.push(performance.now() - t);
  t = performance.now();
  const ch = await it.workspace.compare(from, to);
  B.push(performance.now() - t);
  const ids = ch.flatMap(({ before, after }) => [before.contentId, after.contentId]);
  t = performance.now();
  execFileSync('git', ['--git-dir', join(it.folder, '.git'), 'cat-file', '--batch'], {
    env,
    input: ids.join('\n'),
    maxBuffer: 1e9,
  });
  C.push(performance.now() - t);
  t = performance.now();
  await Promise.all(ids.map((id) => it.workspaces.read(it.workspace.id, id)));
  D.push(performance.now() - t);
}
for (const p of [0, 0.2, 0.5])
  console.log(
    'p',
    p,
    'compare git',
    q(A, p).toFixed(1),
    'ours',
    q(B, p).toFixed(1),
    (q(B, p) / q(A, p)).toFixed(2),
    'contents git',
    q(C, p).toFixed(1),
    'ours',
    q(D, p).toFixed(1),
    (q(D, p) / q(C, p)).toFixed(2),
  );
await it.dispose();
