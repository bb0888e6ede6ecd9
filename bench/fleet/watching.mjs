import { spawn } from 'node:child_process';
import { ourCost, startHost } from '../host/fan-out.mjs';
import { startChild } from '../host/processes.mjs';
import { median } from '../lib/fit.mjs';
import { accepts, freePort } from './engines.mjs';

const PER_TICK = 16;

/** What watchers at a gateway cost their host, and what giving messages to them costs the gateway: processor time, over NATS. */
export function* watching(smoke) {
  const [many, actions, rounds] = smoke ? [10, 64, 1] : [1_000, 2_000, 3];
  const ticks = actions / PER_TICK;
  yield {
    name: `the host, for ${ticks} ticks to ${many} watchers at a gateway, against one`,
    atMost: 1.5,
    work: ticks,
    run: () =>
      inTurn(
        rounds,
        async () => (await remoteCost(1, actions)).host,
        async () => (await remoteCost(many, actions)).host,
      ),
  };
  yield {
    name: `fan-out of ${actions} actions to ${many} subscribers, a gateway against the host itself`,
    atMost: 2,
    work: actions * many,
    run: () =>
      inTurn(
        rounds,
        async () => (await ourCost(many, actions)).microseconds,
        async () => (await remoteCost(many, actions)).gateway,
      ),
  };
}

/** Medians of both sides; the machine's other work falls on both. */
async function inTurn(rounds, baseline, ours) {
  const times = { baseline: [], ours: [] };
  for (let round = 0; round < rounds; round++) {
    times.baseline.push((await baseline()) / 1000);
    times.ours.push((await ours()) / 1000);
  }
  return { baselineMs: median(times.baseline), oursMs: median(times.ours) };
}

/** Microseconds that the host and the gateway work for a burst that so many clients of the gateway watch. */
async function remoteCost(watchers, actions) {
  const natsPort = await freePort();
  const nats = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(natsPort)], { stdio: 'ignore' });
  await accepts(natsPort);
  const bus = `nats://127.0.0.1:${natsPort}`;
  const { host, client, channel, prompt } = await startHost(bus);
  const gateway = await startChild('../fleet/bare-gateway.mjs', [bus]);
  const readers = await startChild('./readers.mjs');
  await readers.ask('connect', { port: gateway.port, count: watchers, channel });
  const turn = async () => {
    prompt(`burst:${actions}:${PER_TICK}`);
    await readers.ask('receiveTurn');
  };
  await turn(); // warm up, as for `fan-out`
  const before = [await host.ask('cpu'), await gateway.ask('cpu')];
  await turn();
  const after = [await host.ask('cpu'), await gateway.ask('cpu')];
  client.close();
  await readers.stop();
  await gateway.stop();
  await host.stop();
  nats.kill('SIGKILL');
  return { host: after[0] - before[0], gateway: after[1] - before[1] };
}
