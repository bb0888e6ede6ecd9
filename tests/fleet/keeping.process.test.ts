import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  connectNatsBus,
  createPostgresFleetStore,
  type Database,
  FLEET_TABLES,
  type FleetStore,
  type Keeper,
  migrate,
  notifyingStore,
  openPostgres,
  type Shipper,
  startKeeper,
  startShipper,
} from '@moorage/fleet';
import { type Bus, nodeClock, openSqliteStore, type StoreWithFeed } from '@moorage/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { turn } from '../support/actions.js';
import { chatOf, enrolHost, ShippingStore } from '../support/fleet/describe-fleet-store.js';
import { hasNats, type NatsServer, startNats } from '../support/fleet/nats-server.js';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/fleet/postgres-server.js';
import { TestHost } from '../support/test-host.js';

describe.skipIf(postgresPrograms() === undefined || !hasNats())('with PostgreSQL and NATS, what hosts commit', () => {
  let postgres: PostgresServer;
  let nats: NatsServer;
  let database: Database;
  let fleet: FleetStore;
  let gateway: Bus;
  let keeper: Keeper;
  let folder: string;
  let ended: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    [postgres, nats] = await Promise.all([startPostgres(), startNats()]);
    database = openPostgres({ url: postgres.url });
    await migrate(database, FLEET_TABLES);
    fleet = createPostgresFleetStore(database);
    gateway = await connectNatsBus({ servers: [nats.url], name: 'gateway' });
    keeper = startKeeper({ bus: gateway, store: fleet });
    await gateway.flush();
    folder = mkdtempSync(join(tmpdir(), 'moorage-keeping-'));
    ended = [];
  });
  afterEach(async () => {
    for (const end of ended.reverse()) await end();
    await keeper.close();
    await gateway.close();
    await database.close();
    await Promise.all([postgres.end(), nats.end()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const shipping = async (store: StoreWithFeed, host: string): Promise<Shipper> => {
    const bus = await connectNatsBus({ servers: [nats.url], name: host });
    const shipper = startShipper({
      host,
      feed: store.feed(),
      bus,
      clock: nodeClock,
      limits: { answer: 2_000, retry: 50 },
    });
    ended.push(() => bus.close(), shipper.close);
    return shipper;
  };
  const sqliteHost = async () => {
    const inner = openSqliteStore({ file: join(folder, 'store.db') });
    ended.push(async () => inner.close());
    const id = await enrolHost(database, 'one');
    let shipper: Shipper | undefined;
    const host = new ShippingStore(
      id,
      notifyingStore(inner, () => shipper?.notify()),
    );
    shipper = await shipping(inner, id);
    return { host, shipper };
  };
  const expectEqual = async (host: ShippingStore, name: string) => {
    const replayed = await fleet.channels.replay(host.host, [chatOf(name)], 0);
    expect(replayed.get(chatOf(name))).toBe(host.store.channels.replay(chatOf(name), 0));
  };

  it('is shipped in small batches after a flood that the fleet has heard nothing of, and it is known how much is left', async () => {
    const inner = openSqliteStore({ file: join(folder, 'flood.db') });
    ended.push(async () => inner.close());
    const id = await enrolHost(database, 'flooded');
    const host = new ShippingStore(id, inner);
    host.create('a');
    const text = 'x'.repeat(50_000);
    for (let seq = 1; seq <= 400; seq++) {
      const envelopes = JSON.stringify({
        channel: chatOf('a'),
        action: { type: 'chat/delta', content: text },
        serverSeq: seq,
      });
      inner.commit({ log: [{ channel: chatOf('a'), firstSeq: seq, lastSeq: seq, envelopes }] });
    }
    const sizes: number[] = [];
    const left: number[] = [];
    const append = fleet.append;
    fleet.append = async (all) => {
      sizes.push(JSON.stringify(all).length);
      return append(all);
    };
    const shipper = await shipping(inner, id);
    shipper.onShipped((position) => left.push(shipper.last - position));
    await shipper.shipped();
    await expectEqual(host, 'a');
    expect(sizes.length).toBeGreaterThan(30);
    expect(Math.max(...sizes)).toBeLessThan(650_000); // of 20 MB
    expect(left).toEqual([...left].sort((a, b) => b - a));
    expect([left[0], left.at(-1)]).toEqual([expect.any(Number), 0]);
    expect(left[0]).toBeGreaterThan(300);
  });

  it('is readable when the host was killed with -9 and its folder is gone: all that was acknowledged', async () => {
    const id = await enrolHost(database, 'doomed');
    const script = join(import.meta.dirname, '../support/fleet/shipping-child.mjs');
    const child = spawn(process.execPath, [script, nats.url, id, join(folder, 'doomed.db')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const acknowledged = await linesUntil(child, 200);
    rmSync(folder, { recursive: true, force: true });
    const texts = (await fleet.channels.replay(id, ['ahp-chat:/killed'], 0)).get('ahp-chat:/killed');
    const stored = (JSON.parse(`[${texts}]`) as { serverSeq: number }[]).map(({ serverSeq }) => serverSeq);
    expect(stored.slice(0, Math.max(...acknowledged))).toEqual(
      Array.from({ length: Math.max(...acknowledged) }, (_, index) => index + 1),
    );
    expect(await fleet.channels.read('ahp-chat:/killed')).toMatchObject({ host: id });
  });

  it('arrives after the host was cut off from the bus, byte for byte', async () => {
    const { host, shipper } = await sqliteHost();
    host.create('a');
    for (let seq = 1; seq <= 50; seq++) host.say('a', seq);
    await shipper.shipped();
    await nats.kill();
    for (let seq = 51; seq <= 500; seq++) {
      host.say('a', seq);
      if (seq % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(shipper.position).toBeLessThan(host.feed.last);
    await nats.restart();
    await shipper.shipped();
    await expectEqual(host, 'a');
  });

  it('goes on while PostgreSQL is killed: hosts and their own clients do not notice', async () => {
    let shipper: Shipper | undefined;
    let inner: StoreWithFeed | undefined;
    const id = await enrolHost(database, 'one');
    const host = await TestHost.start({
      store: (store) => {
        inner = store;
        store.feed();
        return notifyingStore(store, () => shipper?.notify());
      },
    });
    ended.push(() => host.dispose());
    if (!inner) throw new Error('the host opened no store');
    shipper = await shipping(inner, id);
    const client = await host.client();
    const { session, chat } = await host.session(client);
    await turn(client, chat, 'before');
    await shipper.shipped();
    await postgres.kill();
    await turn(client, chat, 'while PostgreSQL is away');
    await turn(client, chat, 'and again');
    expect(shipper.position).toBeLessThan(inner.feed().last);
    await postgres.restart();
    await shipper.shipped();
    for (const uri of [session, chat]) {
      expect((await fleet.channels.replay(id, [uri], 0)).get(uri)).toBe(inner.channels.replay(uri, 0));
      expect(await fleet.channels.read(uri)).toEqual({ host: id, ...inner.channels.read(uri) });
    }
    expect(await fleet.sessions.page({ limit: 5 })).toMatchObject({ sessions: [{ host: id }] });
  });

  it('is there again after a standby was promoted that had lost commits', async () => {
    const { host, shipper } = await sqliteHost();
    host.create('a');
    host.say('a', 1);
    await shipper.shipped();
    const standby = await postgres.standby();
    ended.push(standby.end);
    const copy = openPostgres({ url: standby.url });
    ended.push(() => copy.close());
    await copy.execute("alter system set primary_conninfo = ''");
    await copy.execute('select pg_reload_conf()');
    const follows = () => copy.query('select 1 from pg_stat_wal_receiver');
    await expect.poll(follows, { timeout: 30_000 }).toEqual([]);
    for (let seq = 2; seq <= 40; seq++) host.say('a', seq);
    await shipper.shipped();
    await keeper.close();
    await postgres.kill();
    await copy.execute('select pg_promote()');
    fleet = createPostgresFleetStore(copy);
    expect(await fleet.channels.replay(host.host, [chatOf('a')], 1)).toEqual(new Map([[chatOf('a'), '']]));
    keeper = startKeeper({ bus: gateway, store: fleet });
    await gateway.flush();
    host.say('a', 41);
    await shipper.shipped();
    await expectEqual(host, 'a');
  });

  it('is there again after a backup of the database was restored', async () => {
    const { host, shipper } = await sqliteHost();
    host.create('a');
    host.say('a', 1);
    await shipper.shipped();
    const program = (name: string) => join(postgresPrograms() ?? '', name);
    const dump = execFileSync(program('pg_dump'), ['-d', postgres.url], { maxBuffer: 64 * 1024 * 1024 });
    for (let seq = 2; seq <= 40; seq++) host.say('a', seq);
    await shipper.shipped();
    await keeper.close();
    await database.execute('drop schema public cascade; create schema public');
    execFileSync(program('psql'), ['-q', '-v', 'ON_ERROR_STOP=1', '-d', postgres.url], {
      input: dump,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    expect(await fleet.channels.replay(host.host, [chatOf('a')], 1)).toEqual(new Map([[chatOf('a'), '']]));
    keeper = startKeeper({ bus: gateway, store: fleet });
    await gateway.flush();
    host.say('a', 41);
    await shipper.shipped();
    await expectEqual(host, 'a');
  });
});

/** The numbers that a child has printed by the time that there are enough of them, when it is killed. */
async function linesUntil(child: ChildProcess, enough: number): Promise<readonly number[]> {
  let text = '';
  const exited = new Promise((resolve) => child.once('close', resolve));
  child.stdout?.on('data', (chunk) => {
    text += chunk;
    if (text.split('\n').length > enough) child.kill('SIGKILL');
  });
  await exited;
  return text.split('\n').slice(0, -1).map(Number);
}
