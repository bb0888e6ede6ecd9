import { makeWorld } from './changesets/world.mjs';

const files = Number(process.argv[2] ?? 1000),
  n = Number(process.argv[3] ?? 25);
const it = await makeWorld(files, { filesWorthTracking: 1 });
let tell = () => {};
it.workspace.watch({ touched: (p) => tell(p) });
const one = async () => {
  const p = new Promise((r) => {
    const x = setTimeout(r, 200);
    tell = (y) => {
      if (y.length) {
        clearTimeout(x);
        r();
      }
    };
  });
  it.edit(1);
  await p;
  await new Promise((r) => setImmediate(r));
};
await new Promise((r) => {
  const i = setInterval(() => it.edit(1), 300);
  tell = (x) => {
    if (x.length) {
      clearInterval(i);
      r();
    }
  };
});
await it.workspace.checkpoint();
const keep = setInterval(() => {}, 1e6);
await one();
await it.workspace.checkpoint();
const from = await it.workspace.checkpoint();
const cpu = () => performance.now() * 1000;
const b = [],
  c = [],
  d = [];
const m0 = 0;
for (let i = 0; i < n; i++) {
  await one();
  const t = cpu(),
    w = performance.now();
  const to = await it.workspace.checkpoint({ asTold: true });
  const m = cpu();
  const ch = await it.workspace.compare(from, to);
  const e = cpu();
  const w2 = performance.now();
  if (i > n / 3) {
    b.push(m - t);
    c.push(e - m);
    d.push(w2 - w);
  }
  if (ch.length !== 1) console.log(ch.length);
}
const mean = (v) => v.reduce((x, y) => x + y, 0) / v.length;
const q = (v, p) => v.toSorted((x, y) => x - y)[(v.length * p) | 0];
console.log(
  'cpu us: cp',
  mean(b).toFixed(1),
  'cmp',
  mean(c).toFixed(1),
  'both',
  (mean(b) + mean(c)).toFixed(1),
  'median',
  q(b, 0.5) + q(c, 0.5),
  'wall p2',
  q(d, 0.02).toFixed(3),
  'wall p50',
  q(d, 0.5).toFixed(3),
);
it.remove();
process.exit();
