import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  askGateway,
  createFleetKeys,
  createPostgresFleetStore,
  serveMoves,
  startAdopter,
  TakenFile,
  ticketFor,
} from '@moorage/fleet';
import {
  createHost,
  createMemoryBroker,
  nodeClock,
  nodeFolders,
  openSqliteStore,
  silentLog,
  storedState,
} from '@moorage/host';
import { median } from '../lib/fit.mjs';
import { batchesFor } from '../store/samples.mjs';
import { fleetDatabase } from './postgres.mjs';

/** A session with a chat of so many actions: taken by another host until it is stored there, against loading it from the host's own store. */
export async function adoption(postgres, actions, rounds) {
  const { database, hosts } = await fleetDatabase(postgres, 2);
  const [from, to] = hosts;
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  const fleet = createPostgresFleetStore(database);
  const keys = createFleetKeys();
  const broker = createMemoryBroker();
  const serving = serveMoves({ bus: broker.connect(), store: fleet, keys, clock: nodeClock, log: silentLog });
  const own = openSqliteStore({ file: join(folder, 'from.db') });
  const store = openSqliteStore({ file: join(folder, 'to.db') });
  mkdirSync(join(folder, 'work'));
  const folders = nodeFolders([join(folder, 'work')]);
  const host = createHost({ store, agents: [], folders });
  const bus = broker.connect();
  const adopter = startAdopter({
    host: to,
    bus,
    ask: askGateway(bus, to),
    clock: nodeClock,
    log: silentLog,
    taken: new TakenFile(folder),
    moved: host.moved,
    workspaces: { idOf: () => '', objects: { read: async () => undefined, add: async () => {} } },
    folders,
  });
  const feed = own.feed();
  let position = feed.start;
  const times = { baseline: [], ours: [] };
  let seq = 0;
  for (let round = 0; round < rounds; round++) {
    const session = `ahp-session:/00000000-0000-4000-8000-00000000000${round}`;
    const chat = session.replace('session', 'chat');
    seq = write(own, session, chat, actions, seq);
    for (; position < feed.last; ) {
      const batch = feed.read(position, 1024 * 1024);
      await fleet.append([{ host: from, feed: feed.id, start: feed.start, epochs: {}, batch }]);
      position = batch.upTo;
    }
    const began = performance.now();
    const here = [session, chat].map((uri) => storedState(uri, own.channels.read(uri)).state);
    const middle = performance.now();
    const request = { session, from, epoch: 1, ticket: ticketFor(keys, { session, to, from, epoch: 1 }, Date.now()) };
    const answer = await bus.request(`ahp.h.${to}.take`, Buffer.from(JSON.stringify(request)), 60_000);
    times.ours.push(performance.now() - middle);
    times.baseline.push(middle - began);
    if (!('files' in JSON.parse(Buffer.from(answer).toString()))) throw new Error(Buffer.from(answer).toString());
    const taken = storedState(chat, store.channels.read(chat)).state;
    const [turn = taken.activeTurn] = taken.turns; // it may not be settled yet
    if (JSON.stringify(turn.responseParts) !== JSON.stringify(here[1].activeTurn.responseParts))
      throw new Error('what was taken differs');
  }
  adopter.close();
  serving.end();
  await host.close();
  store.close();
  own.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
  return { baselineMs: median(times.baseline), oursMs: median(times.ours) };
}

function write(store, session, chat, actions, before) {
  const at = new Date(0).toISOString();
  const entry = { resource: chat, title: 'Bench', status: 1, modifiedAt: at };
  const sessionState = {
    provider: 'demo',
    title: 'Bench',
    status: 1,
    lifecycle: 'ready',
    activeClients: [],
    chats: [entry],
  };
  const part = { kind: 'markdown', id: 'part-1', content: '' };
  const batches = batchesFor([chat], 16);
  const first = batches.next();
  const { turnId } = JSON.parse(`[${first[0].envelopes}]`)[0].action;
  const activeTurn = {
    id: turnId,
    startedAt: at,
    message: { text: 'go', origin: { kind: 'user' } },
    responseParts: [part],
  };
  const put = (uri, kind, state) => ({
    uri,
    kind,
    session,
    unsettled: false,
    snapshot: { seq: before, json: JSON.stringify(state) },
  });
  const modifiedAt = 1;
  const summary = { ...entry, resource: session, provider: 'demo', createdAt: at, chats: [entry] };
  store.commit({
    channels: [put(session, 'session', sessionState), put(chat, 'chat', { ...entry, turns: [], activeTurn })],
    summaries: [{ session, modifiedAt, json: JSON.stringify(summary) }],
  });
  let seq = before;
  for (let done = 0; done < actions; done += 16) {
    const [{ envelopes }] = batches.next();
    const log = JSON.parse(`[${envelopes}]`).map((envelope) => JSON.stringify({ ...envelope, serverSeq: ++seq }));
    store.commit({ log: [{ channel: chat, firstSeq: seq - 15, lastSeq: seq, envelopes: log.join(',') }] });
  }
  return seq;
}
