import {
  createPostgresFleetStore,
  type Database,
  FLEET_TABLES,
  type FleetStore,
  migrate,
  openPostgres,
} from '@moorage/fleet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatOf, enrolHost, ShippingStore, sessionOf } from '../support/fleet/describe-fleet-store.js';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/fleet/postgres-server.js';

/** `npm run test:fleet` has the long form, of a minute or more: FENCING_APPENDS=1000. */
const KILLS = Number(process.env.FENCING_KILLS ?? 5);
/** Appends that are acknowledged before each `kill -9` of PostgreSQL, and after the last. */
const APPENDS = Number(process.env.FENCING_APPENDS ?? 40);

describe.skipIf(postgresPrograms() === undefined)('two hosts that write to one session', () => {
  let server: PostgresServer;
  let database: Database;
  beforeEach(async () => {
    server = await startPostgres();
    database = openPostgres({ url: server.url });
    await migrate(database, FLEET_TABLES);
    // The order in which entries are inserted and the session is taken, whatever they say of themselves.
    await database.execute(`
      create sequence happened;
      alter table log add n int8 not null default nextval('happened');
      create table taken (n int8 default nextval('happened'), epoch int);
      create function note_taken() returns trigger language plpgsql as
        $$ begin insert into taken (epoch) values (new.epoch); return null; end $$;
      create trigger taken after update of epoch on session for each row execute function note_taken();
    `);
  });
  afterEach(async () => {
    await database.close();
    await server.end();
  });

  it(`never interleave, and lose nothing that was acknowledged, while PostgreSQL is killed ${KILLS} times`, {
    timeout: 600_000,
  }, async () => {
    const writers = await Promise.all(
      ['one', 'two'].map(async (name, index) => new Writer(await enrolHost(database, name), server.url, index)),
    );
    let isOver = false;
    const acknowledged = () => writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
    const running = Promise.all(writers.map((writer) => writer.run(() => isOver)));
    for (let kill = 0; kill <= KILLS; kill++) {
      const enough = acknowledged() + APPENDS;
      await expect.poll(acknowledged, { timeout: 300_000 }).toBeGreaterThan(enough);
      if (kill === KILLS) break;
      await server.kill();
      await server.restart();
    }
    isOver = true;
    await running;
    await Promise.all(writers.map((writer) => writer.close()));

    const rows = await database.query<{ envelopes: string }>('select envelopes from log order by n');
    const epochs = await database.query<{ epoch: number }>(
      "select epoch from (select n, (envelopes::json ->> 'epoch')::int as epoch from log union all select n, epoch from taken) as all_of order by n",
    );
    const backwards = epochs.filter(({ epoch }, index) => epoch < (epochs[index - 1]?.epoch ?? 0));
    expect(backwards).toEqual([]);
    const stored = new Set(rows.map(({ envelopes }) => envelopes));
    expect(writers.flatMap((writer) => writer.acknowledged).filter((text) => !stored.has(text))).toEqual([]);
    expect(stored.size).toBe(rows.length);
    expect(epochs.at(-1)?.epoch).toBeGreaterThan(2); // it did change hands
  });
});

/** A host that writes as long as the session is its own, and takes it back when it is not. */
class Writer {
  readonly acknowledged: string[] = [];
  readonly #store: ShippingStore;
  readonly #database: Database;
  readonly #fleet: FleetStore;
  #epoch = 1;
  #seq: number;

  constructor(host: string, url: string, index: number) {
    this.#store = new ShippingStore(host);
    this.#database = openPostgres({ url, maxConnections: 2 });
    this.#fleet = createPostgresFleetStore(this.#database);
    this.#seq = index * 1_000_000;
    this.#store.create('a');
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const envelopes = JSON.stringify({ channel: chatOf('a'), epoch: this.#epoch, serverSeq: ++this.#seq });
      const entry = { channel: chatOf('a'), firstSeq: this.#seq, lastSeq: this.#seq, envelopes };
      this.#store.store.commit({ log: [entry] });
      const append = { ...this.#store.next(), epochs: { [sessionOf('a')]: this.#epoch } };
      const verdict = await untilItWorks(async () => (await this.#fleet.append([append]))[0]);
      if (verdict && 'position' in verdict) this.#store.position = verdict.position;
      // A repetition of what was fenced is known, too: only `ok` says that it was stored.
      if (verdict?.verdict === 'ok') this.acknowledged.push(envelopes);
      else if (verdict?.verdict === 'fenced') await this.#take();
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #take(): Promise<void> {
    const session = sessionOf('a');
    const owner = await untilItWorks(() => this.#fleet.sessions.owner(session));
    if (!owner) throw new Error('the session is gone');
    const taken = await untilItWorks(() => this.#fleet.take(session, this.#store.host, owner.epoch));
    if (taken === 'changed' || taken === 'leased') return;
    this.#epoch = taken.epoch;
    this.#store.snapshot('a', this.#seq); // the channel has its numbers from now on
  }
}

async function untilItWorks<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20)); // the server is starting
    }
  }
}
