import {
  createPostgresFleetStore,
  type Database,
  FLEET_TABLES,
  type FleetStore,
  migrate,
  notifyingStore,
  type Shipper,
  type ShipperOptions,
  startKeeper,
  startShipper,
} from '@moorage/fleet';
import { createMemoryBroker, createMemoryStore, type MemoryBroker, nodeClock, type StoreWithFeed } from '@moorage/host';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatOf, enrolHost, ShippingStore, sessionOf } from '../support/fleet/describe-fleet-store.js';
import { openPglite } from '../support/fleet/pglite.js';

const database: Database = openPglite();
afterAll(() => database.close());
let fleet: FleetStore;
let broker: MemoryBroker;
let ended: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  await database.execute('drop schema public cascade; create schema public');
  await migrate(database, FLEET_TABLES);
  fleet = createPostgresFleetStore(database);
  broker = createMemoryBroker();
  ended = [];
});
afterEach(async () => {
  for (const end of ended.reverse()) await end();
});

/** Waits for little: what is not answered is sent again soon. */
const limits = { answer: 200, retry: 10, check: 50 };

function keep(store: FleetStore = fleet): void {
  const bus = broker.connect();
  const keeper = startKeeper({ bus, store });
  ended.push(() => bus.close(), keeper.close);
}

/** The fleet's store, whose first append waits until that many hosts have asked for one. */
function gathering(hosts: number, append: FleetStore['append']): FleetStore {
  const arrived = new Set<string>();
  let release = () => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  broker.connect().subscribe('ahp.h.*.ship', ({ subject }) => {
    if (arrived.add(subject).size === hosts) release();
  });
  return { ...fleet, append: (group) => all.then(() => append(group)) };
}

async function shippingHost(
  name: string,
  options: Partial<ShipperOptions> = {},
  inner: StoreWithFeed = createMemoryStore(),
) {
  const id = await enrolHost(database, name);
  let shipper: Shipper | undefined;
  const host = new ShippingStore(
    id,
    notifyingStore(inner, () => shipper?.notify()),
  );
  const bus = broker.connect();
  shipper = startShipper({ host: id, feed: host.feed, bus, clock: nodeClock, limits, ...options });
  ended.push(() => bus.close(), shipper.close);
  return { host, shipper };
}

async function expectShipped(host: ShippingStore, ...names: readonly string[]): Promise<void> {
  const uris = names.map(chatOf);
  const replayed = await fleet.channels.replay(host.host, uris, 0);
  expect([...replayed]).toEqual(uris.map((uri) => [uri, host.store.channels.replay(uri, 0)]));
}

it('has in the fleet what is committed, with one batch under way at a time', async () => {
  let most = 0;
  let groups = 0;
  let active = 0;
  keep({
    ...fleet,
    append: async (all) => {
      groups++;
      most = Math.max(most, ++active);
      const verdicts = await fleet.append(all);
      active--;
      return verdicts;
    },
  });
  const { host, shipper } = await shippingHost('one');
  host.create('a');
  for (let seq = 1; seq <= 200; seq++) {
    host.say('a', seq);
    if (seq % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await shipper.shipped();
  await expectShipped(host, 'a');
  expect(most).toBe(1);
  expect(groups).toBeLessThan(100);
});

it('stores what several hosts shipped meanwhile in one transaction', async () => {
  const sizes: number[] = [];
  keep(
    gathering(8, (all) => {
      sizes.push(all.length);
      return fleet.append(all);
    }),
  );
  const hosts = await Promise.all(Array.from({ length: 8 }, (_, index) => shippingHost(`host ${index}`)));
  for (const [index, { host }] of hosts.entries()) {
    host.create(`s${index}`);
    host.say(`s${index}`, 1);
  }
  await Promise.all(hosts.map(({ shipper }) => shipper.shipped()));
  for (const [index, { host }] of hosts.entries()) await expectShipped(host, `s${index}`);
  expect(Math.max(...sizes)).toBeGreaterThan(3); // the last ones may come a moment later
});

it('ships again what was stored but not answered, and it is there once', async () => {
  let lost = 0;
  keep({
    ...fleet,
    append: async (all) => {
      const verdicts = await fleet.append(all);
      if (lost++ % 2 === 0) throw new Error('the answer was lost (says the test)');
      return verdicts;
    },
  });
  const { host, shipper } = await shippingHost('one');
  host.create('a');
  for (let seq = 1; seq <= 5; seq++) {
    host.say('a', seq);
    await shipper.shipped();
  }
  await expectShipped(host, 'a');
  expect(lost).toBeGreaterThan(5);
});

it('ships what is longer than a message, by any gateways', async () => {
  keep();
  keep();
  const { host, shipper } = await shippingHost('one');
  host.create('a');
  const envelopes = JSON.stringify({ channel: chatOf('a'), text: '\u20ac'.repeat(1_500_000), serverSeq: 1 });
  host.store.commit({ log: [{ channel: chatOf('a'), firstSeq: 1, lastSeq: 1, envelopes }] });
  await shipper.shipped();
  await expectShipped(host, 'a');
  expect(await database.query('select 1 from shipped_part')).toEqual([]);
});

it('lets no host hold up others with what the database does not take', async () => {
  let bad = '';
  const sizes: number[] = [];
  const withWrong: FleetStore['append'] = (all) => {
    if (all.some(({ host }) => host === bad)) sizes.push(all.length);
    // A number that the database has no room for.
    return fleet.append(
      all.map((one) => (one.host === bad ? { ...one, batch: { ...one.batch, upTo: 2 ** 70 } } : one)),
    );
  };
  keep(gathering(4, withWrong));
  const first = await shippingHost('first');
  first.host.create('first');
  const wrong = await shippingHost('bad');
  bad = wrong.host.host;
  wrong.host.create('wrong');
  const good = await shippingHost('good');
  good.host.create('a');
  await shippingHost('last');
  await good.shipper.shipped();
  await expectShipped(good.host, 'a');
  expect(Math.max(...sizes)).toBeGreaterThanOrEqual(2);
  expect(wrong.shipper.position).toBe(0);
});

it('begins with what a host had before it joined, and goes on after a restart of the host', async () => {
  const inner = createMemoryStore();
  const id = await enrolHost(database, 'one');
  const before = new ShippingStore(id, inner);
  before.create('a');
  before.say('a', 1, 2);
  keep();
  const bus = broker.connect();
  const first = startShipper({ host: id, feed: inner.feed(), bus, clock: nodeClock, limits });
  await first.shipped();
  await first.close();
  before.say('a', 3);
  const second = startShipper({ host: id, feed: inner.feed(), bus, clock: nodeClock, limits });
  await second.shipped();
  await second.close();
  await expectShipped(before, 'a');
});

describe('a fleet that lost what it had', () => {
  it('gets it again from a host that still has it, even if nothing happens there', async () => {
    keep();
    const { host, shipper } = await shippingHost('one');
    host.create('a');
    host.say('a', 1);
    await shipper.shipped();
    const then = shipper.position;
    for (let seq = 2; seq <= 9; seq++) host.say('a', seq);
    await shipper.shipped();
    await database.query('delete from log where first_seq > 1');
    await database.query('update shipped_host set position = $1::int8', [then]);
    await expect
      .poll(() => fleet.channels.replay(host.host, [chatOf('a')], 8))
      .toSatisfy((map) => map.get(chatOf('a')) !== '');
    await expectShipped(host, 'a');
    expect(host.feed.start).toBe(0);
  });

  it('gets all of a host that no longer keeps what is missing', async () => {
    keep();
    const { host, shipper } = await shippingHost('one', { limits: { ...limits, kept: 0 } });
    const { id } = host.feed;
    host.create('a');
    for (let seq = 1; seq <= 9; seq++) {
      host.say('a', seq);
      await shipper.shipped();
    }
    expect(host.feed.acknowledged).toBeGreaterThan(1);
    await database.execute('delete from session; update shipped_host set position = 0');
    await expect.poll(() => fleet.sessions.owner(sessionOf('a'))).toBeDefined();
    await shipper.shipped();
    expect(host.feed.id).not.toBe(id);
    await expectShipped(host, 'a');
  });
});

it('tells a host which of its sessions belong to another now', async () => {
  keep();
  const fenced: string[] = [];
  const { host, shipper } = await shippingHost('one', { onFenced: (sessions) => void fenced.push(...sessions) });
  const other = await enrolHost(database, 'two');
  host.create('a');
  await shipper.shipped();
  await fleet.take(sessionOf('a'), other, 1);
  host.say('a', 1);
  host.create('b');
  await shipper.shipped();
  expect(fenced).toEqual([sessionOf('a')]);
  await expectShipped(host, 'b');
});
