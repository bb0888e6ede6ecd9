// What the client library adds to reading a frame and reducing its action.
import { connect } from '@moorage/client';
import { reduceAll } from '@moorage/protocol';
import { median } from './lib/fit.mjs';
import { asReceived, randomFrom, uuid, words } from './lib/random.mjs';

const PER_TICK = 16;
const ROUNDS = 15;

export function cases({ smoke }) {
  const frames = framesOf(smoke ? 64 : 20_000);
  const rounds = smoke ? 1 : ROUNDS;
  return [
    {
      name: 'an envelope at a client, against parse and reduce',
      work: frames.length,
      atMost: 1.3,
      run: () =>
        inTurn(
          rounds,
          () => bare(frames),
          () => received(frames, 0),
        ),
    },
    {
      name: 'an envelope at a client with 8 pending actions, against none',
      work: frames.length,
      atMost: 1.15,
      run: () =>
        inTurn(
          rounds,
          () => received(frames, 0),
          () => received(frames, 8),
        ),
    },
  ];
}

const random = randomFrom(21);
const CHAT = `ahp-chat:/${uuid(random)}`;
const TURN = uuid(random);
const PART = `${TURN}.0`;

function framesOf(count) {
  return Array.from({ length: count }, (_, index) => {
    const action = { type: 'chat/delta', turnId: TURN, partId: PART, content: words(random, 3) };
    return JSON.stringify({
      jsonrpc: '2.0',
      method: 'action',
      params: { channel: CHAT, action, serverSeq: index + 2 },
    });
  });
}

function chat() {
  const message = { text: words(random, 8), origin: { kind: 'user' } };
  const turns = Array.from({ length: 100 }, () => ({
    id: uuid(random),
    message,
    responseParts: [{ kind: 'markdown', id: uuid(random), content: words(random, 40) }],
    state: 'complete',
  }));
  const activeTurn = {
    id: TURN,
    startedAt: '2026-01-01T00:00:00.000Z',
    message,
    responseParts: [{ kind: 'markdown', id: PART, content: '' }],
  };
  const modifiedAt = '2026-01-01T00:00:00.000Z';
  return asReceived({ resource: CHAT, title: 'Chat', status: 8, modifiedAt, turns, activeTurn });
}

async function bare(frames) {
  let state = chat();
  const started = process.cpuUsage();
  for (let at = 0; at < frames.length; at += PER_TICK) {
    const actions = frames.slice(at, at + PER_TICK).map((frame) => JSON.parse(frame).params.action);
    state = reduceAll('chat', state, actions, { now: () => 0 });
    await new Promise(setImmediate);
  }
  return { ms: passed(started), text: textOf(state) };
}

/** The same through a client whose host is a few lines in this process; what it shows is read once per tick. */
async function received(frames, pending) {
  const host = hostOf(chat());
  const client = await connect({ transport: () => host.transport, liveness: false });
  const mirror = await client.chat(CHAT);
  for (let index = 0; index < pending; index++) {
    mirror.dispatch({ type: 'chat/draftChanged', draft: { text: `draft ${index}`, origin: { kind: 'user' } } });
  }
  let shown;
  mirror.subscribe(() => {
    shown = mirror.optimistic;
  });
  const started = process.cpuUsage();
  for (let at = 0; at < frames.length; at += PER_TICK) {
    for (const frame of frames.slice(at, at + PER_TICK)) host.say(frame);
    await new Promise(setImmediate);
  }
  const ms = passed(started);
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (mirror.pendingCount !== pending) throw new Error('the pending actions are gone');
  client.close();
  return { ms, text: textOf(shown) };
}

function hostOf(state) {
  const listeners = [];
  const say = (text) => {
    for (const listen of listeners) listen(text);
  };
  const root = { resource: 'ahp-root://', state: { agents: [], activeSessions: 0 }, fromSeq: 1 };
  const results = {
    initialize: { protocolVersion: '1.0.0', serverSeq: 1, snapshots: [root] },
    subscribe: { snapshot: { resource: CHAT, state, fromSeq: 1 } },
  };
  const send = (text) => {
    const { id, method } = JSON.parse(text);
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? null });
    if (id !== undefined) queueMicrotask(() => say(answer));
  };
  return { say, transport: { send, close: () => {}, onMessage: (it) => listeners.push(it), onClose: () => {} } };
}

async function inTurn(rounds, baseline, ours) {
  const times = { baseline: [], ours: [] };
  for (let round = 0; round <= rounds; round++) {
    const [first, second] = [await baseline(), await ours()];
    if (first.text !== second.text) throw new Error('the client shows another text');
    if (round === 0 && rounds > 1) continue; // warm up
    times.baseline.push(first.ms);
    times.ours.push(second.ms);
  }
  return { baselineMs: median(times.baseline), oursMs: median(times.ours) };
}

function textOf(state) {
  return state.activeTurn.responseParts[0].content;
}

function passed(started) {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
