import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect, randomId, sessionUri } from '@moorage/client';
import { median } from '../lib/fit.mjs';
import { accepts, freePort } from './engines.mjs';

const MOORAGE = join(import.meta.dirname, '../../packages/cli/bin/moorage.js');

/** The same host, at its own address and through a gateway: real processes, NATS and PostgreSQL. */
export async function latency(postgres, folder, rounds) {
  const ended = [];
  try {
    const port = await freePort();
    const [keys, work, bus] = [join(folder, 'keys'), join(folder, 'work'), `nats://127.0.0.1:${port}`];
    mkdirSync(work);
    execFileSync(process.execPath, [MOORAGE, 'fleet', 'init', keys, '--listen', `127.0.0.1:${port}`]);
    const nats = spawn('nats-server', ['-c', join(keys, 'nats.conf')], { stdio: 'ignore' });
    ended.push(() => nats.kill('SIGKILL'));
    await accepts(port);
    const run = async (...args) => {
      const child = spawn(process.execPath, [MOORAGE, ...args, '--json', '--port', '0'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      ended.push(() => child.kill('SIGKILL'));
      return new Promise((resolve) =>
        createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line))),
      );
    };
    const gateway = await run('gateway', '--keys', keys, '--bus', bus, '--store', await postgres.create());
    const open = async (url, token) => {
      const client = await connect({ url, token, onError: () => {} });
      ended.push(() => client.close());
      return client;
    };
    const admin = await open(gateway.url, gateway.token);
    const { token } = await admin.request('moorage/inviteHost', { labels: [] });
    const data = join(folder, 'member');
    const host = await run('serve', '--fleet', bus, '--enrol', token, '--data-dir', data, '--root', work);
    const direct = await open(host.url, host.token);
    const remote = await untilItWorks(() => open(`${gateway.url}hosts/${host.fleet}/`, gateway.token));
    const uri = sessionUri.format(randomId());
    await direct.request('createSession', { channel: uri, provider: 'demo' });
    const sessions = [await direct.session(uri), await remote.session(uri)];
    const times = [[], []];
    for (let round = 0; round < rounds; round++) {
      for (const [side, session] of sessions.entries()) {
        const began = performance.now();
        await session.dispatch({ type: 'session/titleChanged', title: `title ${round} ${side}` });
        times[side].push(performance.now() - began);
      }
    }
    return { baselineMs: median(times[0]), oursMs: median(times[1]) };
  } finally {
    for (const end of ended.reverse()) end();
  }
}

async function untilItWorks(work) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
