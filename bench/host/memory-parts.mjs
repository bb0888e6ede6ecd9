import { pathToFileURL } from 'node:url';
import { connect, turnStarted } from '@moorage/client';
import { changesetUri } from '@moorage/protocol';
import { startChild } from './processes.mjs';
import { TOKEN } from './shared.mjs';

/** What each of many takes in the host's memory: a session that a client follows, a subscriber, an open review; and a day. */
export function memoryParts(smoke) {
  const [sessions, subscribers, reviews, hours] = smoke ? [3, 3, 1, 0.2] : [200, 1_000, 20, 24];
  const row = (name, goal, run) => ({ name, ...goal, work: 1, unit: 'bytes', run: () => withHost(run) });
  return [
    row(
      `memory of each of ${sessions} sessions with a turn that a client follows, against its state as JSON`,
      { atMost: 4 },
      (host) => perSession(host, sessions),
    ),
    row(
      `memory of each of ${subscribers} subscribers of one chat, against a bare connection`,
      { atMost: 1.5 },
      (host) => perSubscriber(host, subscribers),
    ),
    row(
      `memory of each of ${reviews} open reviews of 10 changed among 1000 files, against its state as JSON`,
      { atMost: 20 },
      (host) => perReview(host, reviews),
    ),
    row('memory after a day of use in simulated time, against after a quarter of it', { atMost: 1.15 }, (host) =>
      day(host, hours),
    ),
  ];
}

async function withHost(run) {
  const child = await startChild('./day-host.mjs');
  const url = `ws://127.0.0.1:${child.port}/`;
  const client = await connect({ url, token: TOKEN });
  const folder = await child.ask('folder');
  const open = async () => {
    const session = `ahp-session:/${crypto.randomUUID()}`;
    await client.request('createSession', {
      channel: session,
      provider: 'talker',
      workingDirectories: [pathToFileURL(folder).href],
    });
    const mirror = await client.session(session);
    const chat = await client.chat(mirror.confirmed.defaultChat);
    return { session, mirror, chat };
  };
  try {
    return await run({ child, client, open, connect: () => connect({ url, token: TOKEN }) });
  } finally {
    client.close();
    await child.stop();
  }
}

async function perSession({ child, open }, count) {
  const opened = [];
  const more = async (number) => {
    for (let index = 0; index < number; index++) {
      const one = await open();
      await say(child, one.chat, 100);
      opened.push(one);
    }
  };
  await more(Math.ceil(count / 10)); // what the first ones make is for all
  const before = await child.ask('used');
  await more(count);
  const oursMs = ((await child.ask('used')) - before) / count;
  const [{ mirror, chat }] = opened;
  return { baselineMs: bytesOf(mirror.confirmed) + bytesOf(chat.confirmed), oursMs: Math.max(1, oursMs) };
}

async function perSubscriber({ child, open }, count) {
  const { chat } = await open();
  const bare = await startChild('./bare-server.mjs');
  const grown = async (server, used, channel) => {
    const connected = async (number) => {
      const readers = await startChild('./readers.mjs');
      await readers.ask('connect', { port: server.port, count: number, channel });
      return readers;
    };
    const first = await connected(20);
    const before = await server.ask(used);
    const others = await connected(count);
    const bytes = (await server.ask(used)) - before;
    for (const readers of [first, others]) await readers.stop();
    return Math.max(1, bytes / count);
  };
  const baselineMs = await grown(bare, 'memory');
  const oursMs = await grown(child, 'memory', chat.uri);
  await bare.stop();
  return { baselineMs, oursMs };
}

async function perReview({ child, client, open }, count) {
  let state;
  const review = async () => {
    const { session } = await open();
    const mirror = await client.changeset(changesetUri(session, { kind: 'uncommitted' }));
    await passing(child, () => mirror.confirmed.status === 'ready' && mirror.confirmed.files.length === 10);
    state = mirror.confirmed;
  };
  await review();
  const before = await child.ask('used');
  for (let index = 0; index < count; index++) await review();
  const oursMs = ((await child.ask('used')) - before) / count;
  return { baselineMs: bytesOf(state), oursMs: Math.max(1, oursMs) };
}

/**
 * Every minute a turn in one of ten sessions, each of which is replaced after twenty turns; every ten minutes a client comes, looks
 * at the list and a review, and leaves.
 */
async function day(host, hours) {
  const { child, client, open } = host;
  const places = [];
  let early;
  for (let minute = 0; minute < hours * 60; minute++) {
    if (minute === Math.ceil(hours * 15)) early = await child.ask('used');
    const index = minute % 10;
    const place = places[index];
    if (!place || place.turns >= 20) {
      place?.mirror.release();
      place?.chat.release();
      if (place) await client.request('disposeSession', { channel: place.session });
      places[index] = { ...(await open()), turns: 0 };
    }
    places[index].turns++;
    await say(child, places[index].chat, 50);
    if (index === 9) await visit(host, places[index].session);
    await child.ask('advance', 60_000);
  }
  return { baselineMs: early, oursMs: await child.ask('used') };
}

async function visit({ child, connect }, session) {
  const guest = await connect();
  await guest.request('listSessions', { channel: 'ahp-root://' });
  const mirror = await guest.changeset(changesetUri(session, { kind: 'uncommitted' }));
  await passing(child, () => mirror.confirmed.status === 'ready');
  mirror.release();
  guest.close();
}

async function say(child, chat, words) {
  const turn = turnStarted(crypto.randomUUID(), { text: String(words), origin: { kind: 'user' } });
  const isOver = () => chat.confirmed.turns.some(({ id }) => id === turn.turnId);
  const dispatched = chat.dispatch(turn);
  await passing(child, isOver);
  await dispatched;
}

/** Lets time pass in the host until something is so. */
async function passing(child, isSo) {
  while (!isSo()) await child.ask('advance', 100);
}

function bytesOf(state) {
  return Buffer.byteLength(JSON.stringify(state));
}
