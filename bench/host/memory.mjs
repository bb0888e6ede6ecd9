import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../lib/fit.mjs';
import { startChild, startCommand } from './processes.mjs';
import { fill } from './start.mjs';

/** Resident memory of a host that serves nobody, and of each idle connection, against a bare `ws` server. */
export function memory(smoke) {
  const connections = smoke ? 3 : 1_000;
  return [
    {
      name: 'memory of an idle host',
      atMost: 1.5,
      work: 1,
      unit: 'bytes',
      run: async () => ({ baselineMs: await idle('./bare-server.mjs'), oursMs: await idleCommand() }),
    },
    {
      name: `memory of each of ${connections} idle connections`,
      atMost: 1.5,
      work: 1,
      unit: 'bytes',
      async run() {
        const [baseline, ours] = [[], []];
        for (let round = 0; round < (smoke ? 1 : 5); round++) {
          baseline.push(await perConnection('./bare-server.mjs', connections));
          ours.push(await perConnection('./our-host.mjs', connections, 'ahp-root://'));
        }
        return { baselineMs: median(baseline), oursMs: median(ours) };
      },
    },
  ];
}

/** Of sessions that nobody uses nothing is in memory: a host with many of them, against one with none. */
export function storedSessions(smoke) {
  const count = smoke ? 10 : 10_000;
  return {
    name: `memory of a host with ${count} stored sessions, against none`,
    atMost: 1.05,
    work: 1,
    unit: 'bytes',
    async run() {
      const [baseline, ours] = [[], []];
      for (let round = 0; round < (smoke ? 1 : 5); round++) {
        baseline.push(await idleCommand());
        ours.push(await idleCommand((folder) => fill(folder, count)));
      }
      return { baselineMs: median(baseline), oursMs: median(ours) };
    },
  };
}

async function idle(file) {
  const server = await startChild(file);
  const bytes = await server.ask('memory');
  await server.stop();
  return bytes;
}

/** The command as users run it. */
async function idleCommand(prepare = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  prepare(folder);
  const host = await startCommand(folder);
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${host.pid}/status`, 'utf8'));
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
  return Number(kilobytes) * 1024;
}

async function perConnection(file, count, channel) {
  const server = await startChild(file);
  const connect = async (count) => {
    const readers = await startChild('./readers.mjs');
    await readers.ask('connect', { port: server.port, count, channel });
    return readers;
  };
  const first = await connect(20); // what the first ones make is for all
  const before = await server.ask('memory');
  const others = await connect(count); // so many that they do not fit into what the start left free
  const bytes = Math.max(1, (await server.ask('memory')) - before) / count; // the few of a smoke run may take nothing
  for (const child of [first, others, server]) await child.stop();
  return bytes;
}
