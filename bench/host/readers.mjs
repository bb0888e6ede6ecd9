// Clients in a process of their own, so that what they cost is not counted as the server's.
import { WebSocket } from 'ws';
import { percentile } from '../lib/fit.mjs';
import { ageOf } from './pace.mjs';
import { ROOT, TOKEN } from './shared.mjs';

const sockets = [];
const received = new Map();
const turnsEnded = new Map();
let ages;

process.on('message', async ({ id, task, options }) => process.send({ id, result: await tasks[task](options) }));
process.on('disconnect', () => process.exit());

const tasks = {
  /** Connects clients; with a channel they introduce themselves and subscribe to it. */
  async connect({ port, count, channel, version = '1.0.0' }) {
    for (let index = 0; index < count; index++) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/?token=${TOKEN}`);
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      sockets.push(socket);
      received.set(socket, 0);
      turnsEnded.set(socket, 0);
      if (channel) await introduce(socket, crypto.randomUUID(), channel, version);
      socket.on('message', (data) => {
        received.set(socket, received.get(socket) + 1);
        if (data.includes('/turnComplete"')) turnsEnded.set(socket, turnsEnded.get(socket) + 1);
        if (!ages) return;
        const age = ageOf(data.toString());
        if (age !== undefined) ages.push(age);
      });
    }
  },
  /** Waits until every client has got that many messages since the last call. */
  receive: ({ count }) => everyHas(received, count),
  /** Waits until every client has got the end of a turn since the last call: only then may the next one start. */
  receiveTurn: () => everyHas(turnsEnded, 1),
  /** From now on it is noted how old each message is. */
  noteAges() {
    ages = [];
  },
  ages() {
    return { p50: percentile(ages, 0.5), p99: percentile(ages, 0.99) };
  },
  /** As a client whose network has stopped. */
  stopReading() {
    for (const socket of sockets) socket.pause();
  },
};

async function everyHas(counts, least) {
  while ([...counts.values()].some((count) => count < least)) await new Promise((done) => setTimeout(done, 2));
  for (const socket of sockets) counts.set(socket, 0);
}

function introduce(socket, clientId, channel, version) {
  const offer = version === 1 ? { protocolVersion: 1 } : { channel: ROOT, protocolVersions: [version] };
  const params = { ...offer, clientId, initialSubscriptions: [channel] };
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
  return new Promise((resolve) => socket.once('message', resolve));
}

process.send({ port: 0 });
