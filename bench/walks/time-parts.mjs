// Loaded into a host with --import: which part of it works, from when the parent asks until a frame with a certain text is written.
import { ask, eachTime } from './until-written.mjs';

const PACKAGES = new URL('../../packages/', import.meta.url).href;

/** Microseconds between two looks. */
const INTERVAL = 50;

ask('Profiler.enable');
ask('Profiler.setSamplingInterval', { interval: INTERVAL });
eachTime({
  isBefore: false,
  begin: () => ask('Profiler.start'),
  end: () => timesOf(ask('Profiler.stop').profile),
});

/** Microseconds by part. A moment belongs to the innermost of our own functions on the stack: also when Node works for it. */
function timesOf({ nodes, samples, timeDeltas }) {
  const parents = new Map();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node.id);
  const times = {};
  for (const [index, id] of samples.entries()) {
    const part = partOf(byId, parents, id);
    if (part) times[part] = (times[part] ?? 0) + timeDeltas[index];
  }
  return times;
}

function partOf(byId, parents, id) {
  let other = 'node';
  for (let at = id; at !== undefined; at = parents.get(at)) {
    const { functionName, url } = byId.get(at).callFrame;
    if (functionName === '(idle)') return undefined;
    if (functionName === '(garbage collector)') return 'garbage collection';
    if (url.startsWith(PACKAGES)) return folderOf(url.slice(PACKAGES.length));
    const installed = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
    if (installed && other === 'node') other = installed;
    if (url.includes('/bench/walks/')) return undefined; // that is us
  }
  return other;
}

/** `host/dist/adapters/store-sqlite/commit.js` is of `host/adapters/store-sqlite`. */
function folderOf(path) {
  const folders = path.split('/').slice(0, -1);
  return folders
    .filter((name) => name !== 'dist')
    .slice(0, 3)
    .join('/');
}
