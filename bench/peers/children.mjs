import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program that is ready once it has printed a line that `ready` takes. */
export async function startUntil(ready, command, args, { cwd, env }) {
  const began = performance.now();
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  const line = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (text) => {
        if (said.length < 20) said.push(text);
        if (ready(text)) resolve(text);
      });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}: ${said.join(' | ')}`)));
  });
  const readyMs = performance.now() - began;
  const end = async (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const pids = treeOf(child.pid); // what a peer's launcher has started does not end with it
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
    await once(child, 'exit');
    clearTimeout(timer);
    for (const pid of pids) if (pid !== child.pid) killQuietly(pid);
  };
  return { pid: child.pid, line, readyMs, stop: () => end('SIGTERM'), kill: () => killTree(child, end) };
}

async function killTree(child, end) {
  for (const pid of treeOf(child.pid)) if (pid !== child.pid) killQuietly(pid);
  await end('SIGKILL');
}

function killQuietly(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

export async function startModel() {
  const file = fileURLToPath(new URL('./model.mjs', import.meta.url));
  const model = await startUntil((line) => /^\d+$/.test(line), process.execPath, [file], { env: process.env });
  return { url: `http://127.0.0.1:${model.line}/v1`, stop: model.stop };
}

/** A process and all that it has started. */
function treeOf(root) {
  const children = new Map();
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) && statOf(entry);
    if (stat) children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(entry)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** Bytes in memory; what its processes share, with each other or with strangers, is counted once. */
export function memoryOf(root) {
  const parts = treeOf(root).map(memoryPartsOf);
  return parts.reduce((sum, { own }) => sum + own, 0) + Math.max(...parts.map(({ shared }) => shared));
}

function memoryPartsOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const of = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024;
    return { own: of('Private_Clean') + of('Private_Dirty'), shared: of('Shared_Clean') + of('Shared_Dirty') };
  } catch {
    return { own: 0, shared: 0 }; // it has ended
  }
}

/** Milliseconds in which a processor worked for it. */
export function cpuOf(root) {
  return treeOf(root).reduce((sum, pid) => sum + (statOf(pid)?.cpu ?? 0), 0);
}

function statOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [user, system, ended, endedSystem] = fields.slice(11, 15).map(Number);
    const cpu = (user + system + ended + endedSystem) * 10;
    return { parent: Number(fields[1]), cpu };
  } catch {
    return undefined; // it has ended
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The environment of a program that shall find nothing of the user's. */
export function envOf(home, more = {}) {
  return { PATH: process.env.PATH, LANG: 'C.UTF-8', TERM: 'dumb', HOME: home, TMPDIR: home, ...more };
}
