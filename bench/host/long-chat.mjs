import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@moorage/client';
import { openSqliteStore } from '@moorage/host';
import { median } from '../lib/fit.mjs';
import { randomFrom, randomTurn } from '../lib/random.mjs';
import { startChild, startCommand } from './processes.mjs';

const MOST_MS = 50;

/** What another client notices while somebody opens a very long chat that the host has not read since it started. */
export function longChat(smoke) {
  const turns = smoke ? 20 : 20_000;
  return [{ turns: 60 }, undefined].map((view) => ({
    name: `slowest ping while a chat of ${turns} turns is opened, ${view ? 'its newest 60' : 'all of it'}, against ${MOST_MS} ms`,
    atMost: 1,
    work: 1,
    run: async () => ({ baselineMs: MOST_MS, oursMs: await slowestPing(turns, view, smoke ? 1 : 7) }),
  }));
}

async function slowestPing(turns, view, rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  fill(folder, turns);
  const slowest = [];
  for (let round = 0; round < rounds; round++) {
    const host = await startCommand(folder);
    const pinger = await startChild('./pinger.mjs');
    const client = await connect({ ...host, liveness: false });
    try {
      await client.session(SESSION); // the first request of its kind loads code
      await pinger.ask('start', { url: host.url, token: host.token });
      const chat = await client.chat(CHAT, view);
      if (chat.confirmed.turns.length !== Math.min(turns, view?.turns ?? turns)) throw new Error('turns are missing');
      slowest.push(await pinger.ask('stop'));
    } finally {
      client.close();
      await pinger.stop();
      await host.stop();
    }
  }
  rmSync(folder, { recursive: true, force: true });
  return median(slowest);
}

const SESSION = 'ahp-session:/bench-long';
const CHAT = 'ahp-chat:/bench-long';

/** About a kilobyte for each turn. */
function fill(folder, count) {
  const random = randomFrom(11);
  const at = '2026-01-01T00:00:00.000Z';
  const chat = { resource: CHAT, title: 'Long', status: 1, modifiedAt: at };
  const turns = Array.from({ length: count }, () => ({ ...randomTurn(random), startedAt: at, duration: 1 }));
  const session = { provider: 'demo', title: 'Long', status: 1 };
  const state = { ...session, lifecycle: 'ready', activeClients: [], chats: [chat], defaultChat: CHAT };
  const summary = { ...session, resource: SESSION, createdAt: at, modifiedAt: at, chats: [chat], defaultChat: CHAT };
  const put = (uri, kind, value) => ({
    ...{ uri, kind, session: SESSION, unsettled: false },
    snapshot: { seq: 0, json: JSON.stringify(value) },
  });
  const store = openSqliteStore({ file: join(folder, 'store.sqlite') });
  store.commit({
    channels: [put(SESSION, 'session', state), put(CHAT, 'chat', { ...chat, turns })],
    summaries: [{ session: SESSION, modifiedAt: 0, json: JSON.stringify(summary) }],
  });
  store.close();
}
