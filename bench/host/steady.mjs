import { median } from '../lib/fit.mjs';
import { sampleFrame, startHost } from './fan-out.mjs';
import { startChild } from './processes.mjs';

const PER_SECOND = 200;

/** How old a message is when a subscriber has it, at a steady pace, against a bare broadcast of the same bytes. */
export function steady(smoke) {
  const [subscribers, count, rounds] = smoke ? [2, 20, 1] : [100, 800, 5];
  const both = once(() =>
    inTurn(
      rounds,
      () => bareAges(subscribers, count),
      () => ourAges(subscribers, count),
    ),
  );
  return ['p50', 'p99'].map((which) => ({
    name: `${PER_SECOND} actions a second to ${subscribers} subscribers, ${which}`,
    atMost: 1.2,
    work: 1,
    run: async () => medians(await both(), which),
  }));
}

/** What one subscriber that has stopped reading does to the others, and to memory. */
export function stopped(smoke) {
  const [subscribers, count, rounds, actions] = smoke ? [2, 20, 1, 500] : [20, 800, 5, 100_000];
  return [
    {
      name: `p99 of ${subscribers} subscribers while another has stopped reading, against without it`,
      atMost: 1.2,
      work: 1,
      run: async () =>
        medians(
          await inTurn(
            rounds,
            () => ourAges(subscribers, count),
            () => ourAges(subscribers, count, stopOne),
          ),
          'p99',
        ),
    },
    {
      name: `memory for a subscriber that stopped reading, against what was meant for it`,
      atMost: 0.75,
      work: 1,
      unit: 'bytes',
      run: () => memoryOfStopped(actions),
    },
  ];
}

async function ourAges(subscribers, count, before = async () => undefined) {
  const { host, client, channel, prompt } = await startHost();
  const readers = await startChild('./readers.mjs');
  await readers.ask('connect', { port: host.port, count: subscribers, channel });
  const other = await before(host, channel);
  await told(prompt, readers, Math.ceil(count / 4));
  await readers.ask('noteAges');
  await told(prompt, readers, count);
  const ages = await readers.ask('ages');
  client.close();
  await readers.stop();
  await other?.stop();
  await host.stop();
  return ages;
}

async function told(prompt, readers, count) {
  prompt(`steady:${count}:${PER_SECOND}`);
  await readers.ask('receiveTurn');
}

async function bareAges(subscribers, count) {
  const server = await startChild('./bare-server.mjs');
  const readers = await startChild('./readers.mjs');
  await readers.ask('connect', { port: server.port, count: subscribers });
  const frame = sampleFrame(`ahp-chat:/${crypto.randomUUID()}`, 'STAMP');
  const send = async (frames) => {
    const received = readers.ask('receive', { count: frames });
    await server.ask('steady', { frame, count: frames, perSecond: PER_SECOND });
    await received;
  };
  await send(Math.ceil(count / 4));
  await readers.ask('noteAges');
  await send(count);
  const ages = await readers.ask('ages');
  await readers.stop();
  await server.stop();
  return ages;
}

async function stopOne(host, channel) {
  const other = await startChild('./readers.mjs');
  await other.ask('connect', { port: host.port, count: 1, channel });
  await other.ask('stopReading');
  return other;
}

/** The same burst with and without it: what is left over is what it costs. */
async function memoryOfStopped(actions) {
  const grown = async (before) => {
    const { host, client, channel, prompt } = await startHost();
    const readers = await startChild('./readers.mjs');
    await readers.ask('connect', { port: host.port, count: 1, channel });
    const other = await before(host, channel);
    const start = await host.ask('memory');
    prompt(`burst:${actions}:16`);
    await readers.ask('receiveTurn');
    const bytes = (await host.ask('memory')) - start;
    client.close();
    await readers.stop();
    await other?.stop();
    await host.stop();
    return bytes;
  };
  const without = await grown(async () => undefined);
  const withOne = await grown(stopOne);
  return { baselineMs: actions * 250, oursMs: Math.max(1, withOne - without) };
}

async function inTurn(rounds, baseline, ours) {
  const results = { baseline: [], ours: [] };
  for (let round = 0; round < rounds; round++) {
    results.baseline.push(await baseline());
    results.ours.push(await ours());
  }
  return results;
}

function medians({ baseline, ours }, which) {
  return {
    baselineMs: median(baseline.map((ages) => ages[which])),
    oursMs: median(ours.map((ages) => ages[which])),
  };
}

function once(make) {
  let made;
  return () => {
    made ??= make();
    return made;
  };
}
