import { makeWorld, told } from './changesets/world.mjs';

const files = Number(process.argv[2] ?? 1000),
  n = Number(process.argv[3] ?? 25);
const it = await makeWorld(files, { filesWorthTracking: 1 });
await told(it, () => it.edit(1));
await it.workspace.checkpoint();
const from = await it.workspace.checkpoint();
const a = [],
  b = [],
  c = [];
for (let i = 0; i < n; i++) {
  await told(it, () => it.edit(1));
  let t = performance.now();
  if (!process.argv[4]) it.git('diff', '--numstat', '--', 'd0/file0.txt');
  a.push(performance.now() - t);
  t = performance.now();
  const to = await it.workspace.checkpoint({ asTold: true });
  const m = performance.now();
  const ch = await it.workspace.compare(from, to);
  const e = performance.now();
  b.push(m - t);
  c.push(e - m);
  if (ch.length !== 1) console.log(ch.length);
}
const med = (v) => v.toSorted((x, y) => x - y)[v.length >> 1];
console.log('git', med(a), 'cp', med(b), 'cmp', med(c), 'ratio', med(a) / med(b.map((x, i) => x + c[i])));
console.log(
  'first',
  b.slice(0, 5).map((x) => x.toFixed(2)),
  c.slice(0, 5).map((x) => x.toFixed(2)),
);
await it.dispose();
