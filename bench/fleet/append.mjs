import { join } from 'node:path';
import { createPostgresFleetStore } from '@moorage/fleet';
import { createMemoryStore } from '@moorage/host';
import { median } from '../lib/fit.mjs';
import { createBareLog, openBare } from '../store/bare.mjs';
import { batchesFor } from '../store/samples.mjs';
import { fleetDatabase } from './postgres.mjs';

/** One tick of 16 actions of each of 100 hosts: in one transaction of PostgreSQL, against a commit of each in SQLite. */
export async function groupCommit(postgres, folder, ticks) {
  const { database, hosts } = await fleetDatabase(postgres, 100);
  const fleet = createPostgresFleetStore(database);
  const bare = openBare(join(folder, 'group-bare.db'));
  createBareLog(bare);
  const [begin, commit] = ['BEGIN IMMEDIATE', 'COMMIT'].map((sql) => bare.prepare(sql));
  const insert = bare.prepare('INSERT INTO log (channel, first_seq, last_seq, envelopes) VALUES (?, ?, ?, ?)');
  const all = hosts.map((host) => shippingHost(host));
  const appends = () => all.map((one) => one.next());
  await fleet.append(appends());
  const rounds = [];
  for (let tick = 0; tick < ticks; tick++) {
    for (const one of all) one.commit();
    const group = appends();
    const oursMs = await timed(() => fleet.append(group));
    const baselineMs = await timed(() => {
      for (const { batch } of group) {
        begin.run();
        for (const { firstSeq, lastSeq, envelopes } of batch.log) insert.run(0, firstSeq, lastSeq, envelopes);
        commit.run();
      }
    });
    rounds.push({ baselineMs, oursMs });
  }
  await database.close();
  bare.close();
  return {
    baselineMs: median(rounds.map(({ baselineMs }) => baselineMs)),
    oursMs: median(rounds.map(({ oursMs }) => oursMs)),
  };
}

function shippingHost(host) {
  const store = createMemoryStore();
  const feed = store.feed();
  const session = `ahp-session:/${host}`;
  const chat = `ahp-chat:/${host}`;
  const put = (uri, kind) => ({ uri, kind, session, unsettled: false, snapshot: { seq: 0, json: '{"turns":[]}' } });
  store.commit({ channels: [put(session, 'session'), put(chat, 'chat')] });
  const batches = batchesFor([chat], 16);
  let position = feed.start;
  return {
    commit: () => store.commit({ log: batches.next() }),
    next: () => {
      const batch = feed.read(position, Number.POSITIVE_INFINITY);
      position = batch.upTo;
      return { host, feed: feed.id, start: feed.start, epochs: {}, batch };
    },
  };
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
