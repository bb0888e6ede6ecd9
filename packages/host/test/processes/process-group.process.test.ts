import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import { ProcessGroup } from '../../src/processes/process-group.js';

const GRACES = { askAfterMs: 0, killAfterMs: 60_000 };
let left: number[] = [];
afterEach(() => {
  for (const pid of left) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  left = [];
});

/** Runs a script that prints the id of a process which it has started. */
async function start(script: string): Promise<{ group: ProcessGroup; started: number }> {
  const env = { PATH: process.env.PATH ?? '' };
  const group = new ProcessGroup({ command: '/bin/sh', args: ['-c', script], cwd: '/', env, readsErrors: true });
  const [line] = await once(createInterface(group.output), 'line');
  left.push(Number(line));
  return { group, started: Number(line) };
}

/** One that nobody has waited for yet is dead all the same. */
function isAlive(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}

const isGone = (pid: number) => expect.poll(() => isAlive(pid), { timeout: 30_000, interval: 10 }).toBe(false);

it('stops with all that it started', async () => {
  const { group, started } = await start('sleep 600 & echo $!; wait');
  await group.stop(GRACES);
  expect(await group.ended).toEqual({ kind: 'exited', code: null, signal: 'SIGTERM' });
  await isGone(started);
});

it('takes what it started along when it ends by itself', async () => {
  const { group, started } = await start('sleep 600 & echo $!; exit 3');
  expect(await group.ended).toEqual({ kind: 'exited', code: 3, signal: null });
  await isGone(started);
});

it('has ended though something that left the group holds its output', async () => {
  const { group, started } = await start("setsid sh -c 'echo $$; exec sleep 600' & read -r line; exit 3");
  group.input.write('go\n'); // not before it has left
  expect(await group.ended).toEqual({ kind: 'exited', code: 3, signal: null });
  expect(isAlive(started)).toBe(true);
});

it('is killed when it does not go', async () => {
  const { group } = await start("trap '' TERM; echo $$; while :; do sleep 1; done");
  await group.stop({ askAfterMs: 0, killAfterMs: 100 });
  expect(await group.ended).toEqual({ kind: 'exited', code: null, signal: 'SIGKILL' });
});

it('says that it could not be started', async () => {
  const group = new ProcessGroup({ command: '/no/such/program', args: [], cwd: '/', env: {}, readsErrors: false });
  expect(await group.ended).toMatchObject({ kind: 'notStarted', cause: { code: 'ENOENT' } });
  await group.stop(GRACES);
});
