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
const cpu = () => performance.now();
const b = [],
  c = [],
  d = [];
for (let i = 0; i < n; i++) {
  await one();
  const t = cpu();
  const to = await it.workspace.checkpoint({ asTold: true });
  const m = cpu();
  const ch = await it.workspace.compare(from, to);
  const e = cpu();
  b.push(m - t);
  c.push(e - m);
  d.push(e - t);
  if (ch.length !== 1) console.log(ch.length);
}
const med = (v) => v.toSorted((x, y) => x - y)[v.length >> 1];
console.log('cp', med(b), 'cmp', med(c), 'both', med(d), 'p10', d.toSorted((x, y) => x - y)[(n / 10) | 0]);
it.remove();
process.exit();
process.exit();
