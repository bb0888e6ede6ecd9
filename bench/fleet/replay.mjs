import { join } from 'node:path';
import { createPostgresFleetStore } from '@moorage/fleet';
import { openSqliteStore } from '@moorage/host';
import { median } from '../lib/fit.mjs';
import { batchesFor } from '../store/samples.mjs';
import { fleetDatabase } from './postgres.mjs';

const ROUNDS = 15;

/** The log of one chat from the fleet's store, against the same from a host's own. */
export async function replay(postgres, folder, actions) {
  const { database, hosts } = await fleetDatabase(postgres, 1);
  const [host] = hosts;
  const fleet = createPostgresFleetStore(database);
  const store = openSqliteStore({ file: join(folder, 'replay-fleet.db') });
  const feed = store.feed();
  const [session, chat] = ['ahp-session:/replay', 'ahp-chat:/replay'];
  const put = (uri, kind) => ({ uri, kind, session, unsettled: false, snapshot: { seq: 0, json: '{"turns":[]}' } });
  store.commit({ channels: [put(session, 'session'), put(chat, 'chat')] });
  const batches = batchesFor([chat], 16);
  for (let done = 0; done < actions; done += 16) store.commit({ log: batches.next() });
  for (let position = feed.start; position < feed.last; ) {
    const batch = feed.read(position, 1024 * 1024);
    await fleet.append([{ host, feed: feed.id, start: feed.start, epochs: {}, batch }]);
    position = batch.upTo;
  }
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    const own = store.channels.replay(chat, 0);
    const middle = performance.now();
    const kept = (await fleet.channels.replay(host, [chat], 0)).get(chat);
    rounds.push({ baselineMs: middle - began, oursMs: performance.now() - middle });
    if (own !== kept) throw new Error('the two logs differ');
  }
  await database.close();
  store.close();
  return {
    baselineMs: median(rounds.map(({ baselineMs }) => baselineMs)),
    oursMs: median(rounds.map(({ oursMs }) => oursMs)),
  };
}
