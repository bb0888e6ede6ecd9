import { makeWorld } from './changesets/world.mjs';

const it = await makeWorld(10000);
const T = [];
for (let i = 0; i < 9; i++) {
  const from = await it.workspace.checkpoint();
  it.edit(1000);
  const to = await it.workspace.checkpoint();
  globalThis.__marks = [];
  const t = performance.now();
  await it.workspace.compare(from, to);
  const e = performance.now();
  T.push([...globalThis.__marks.map(([k, v]) => k + ' ' + (v - t).toFixed(1)), 'end ' + (e - t).toFixed(1)].join(', '));
}
console.log(T.join('\n'));
await it.dispose();
