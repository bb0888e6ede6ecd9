import { connect, turnStarted } from '@moorage/client';
import { startChild } from './processes.mjs';
import { TOKEN } from './shared.mjs';

const PER_TICK = 16;

/** Processor time of the server for each message that a subscriber gets, against `ws.send(string)` to each client. */
export function fanOut(subscribers, smoke) {
  const actions = smoke ? 64 : subscribers > 100 ? 2_000 : 10_000;
  return {
    name: `fan-out of ${actions} actions to ${subscribers} subscribers, processor time`,
    atLeast: subscribers === 100 ? 12 : undefined,
    work: actions * subscribers,
    async run() {
      const ours = await ourCost(subscribers, actions);
      const baseline = await bareCost(subscribers, actions, ours.frame);
      return { baselineMs: baseline / 1000, oursMs: ours.microseconds / 1000 };
    },
  };
}

/** The same against the least that can be done: one buffer for each socket and tick. */
export function fanOutOfBuffers(subscribers, smoke) {
  const actions = smoke ? 64 : 10_000;
  return {
    name: `fan-out of ${actions} actions to ${subscribers} subscribers, against one buffer per tick`,
    atMost: 2,
    work: actions * subscribers,
    async run() {
      const ours = await ourCost(subscribers, actions);
      const baseline = await bareCost(subscribers, actions, ours.frame, 'broadcastBuffers');
      return { baselineMs: baseline / 1000, oursMs: ours.microseconds / 1000 };
    },
  };
}

/** The same in another version of the protocol, against ours: what translating costs once it is done once for all. */
export function fanOutIn(version, subscribers, smoke) {
  const actions = smoke ? 64 : 10_000;
  return {
    name: `fan-out of ${actions} actions to ${subscribers} subscribers of ${version}, against 1.0.0`,
    atMost: 1.5,
    work: actions * subscribers,
    async run() {
      const baseline = await ourCost(subscribers, actions);
      const ours = await ourCost(subscribers, actions, version);
      return { baselineMs: baseline.microseconds / 1000, oursMs: ours.microseconds / 1000 };
    },
  };
}

export async function ourCost(subscribers, actions, version = '1.0.0') {
  const { host, client, session, channel, prompt } = await startHost();
  const readers = await startChild('./readers.mjs');
  await readers.ask('connect', {
    port: host.port,
    count: subscribers,
    channel: followed(version, session, channel),
    version,
  });
  const turn = async (count) => {
    prompt(`burst:${count}:${PER_TICK}`);
    await readers.ask('receiveTurn');
  };
  await turn(actions); // warm up: with less of it the compiler's work is counted too
  const before = await host.ask('cpu');
  await turn(actions);
  const microseconds = (await host.ask('cpu')) - before;
  client.close();
  await readers.stop();
  await host.stop();
  return { microseconds, frame: sampleFrame(channel) };
}

/** A host with a chat that can be told to emit; also on a bus, if one is given. */
export async function startHost(...bus) {
  const host = await startChild('./our-host.mjs', bus);
  const client = await connect({ url: `ws://127.0.0.1:${host.port}/`, token: TOKEN });
  const session = `ahp-session:/${crypto.randomUUID()}`;
  await client.request('createSession', { channel: session });
  const { confirmed } = await client.session(session);
  const prompt = (text) => {
    const message = { text, origin: { kind: 'user' } };
    const turn = turnStarted(crypto.randomUUID(), message);
    return client.dispatch(confirmed.defaultChat, turn);
  };
  return { host, client, session, channel: confirmed.defaultChat, prompt };
}

async function bareCost(subscribers, actions, frame, task = 'broadcast') {
  const server = await startChild('./bare-server.mjs');
  const readers = await startChild('./readers.mjs');
  await readers.ask('connect', { port: server.port, count: subscribers });
  const broadcast = async (count) => {
    const received = readers.ask('receive', { count });
    await server.ask(task, { frame, count, perTick: PER_TICK });
    await received;
  };
  await broadcast(actions);
  const before = await server.ask('cpu');
  await broadcast(actions);
  const microseconds = (await server.ask('cpu')) - before;
  await readers.stop();
  await server.stop();
  return microseconds;
}

/** Versions before 0.4 have the conversation in the session; in version 1 the scheme of that is its provider. */
function followed(version, session, chat) {
  if (version === 1) return session.replace('ahp-session:', 'burst:');
  return ['0.2.0', '0.3.0'].includes(version) ? session : chat;
}

/** As long as the frames that our host sends. */
export function sampleFrame(channel, content = 'a'.repeat(60)) {
  const action = {
    type: 'chat/toolCallDelta',
    turnId: crypto.randomUUID(),
    toolCallId: `${crypto.randomUUID()}.0`,
    content,
  };
  return JSON.stringify({ jsonrpc: '2.0', method: 'action', params: { channel, action, serverSeq: 12345 } });
}
