import { type Database, migrate, openPostgres } from '@moorage/fleet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPglite } from '../support/fleet/pglite.js';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/fleet/postgres-server.js';

describe('PGlite', () => describeDatabase(openPglite));

describe.skipIf(postgresPrograms() === undefined)('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.end());

  describeDatabase(() => openPostgres({ url: server.url }));

  it('is migrated once, by one of several gateways that start at the same moment', async () => {
    const gateways = Array.from({ length: 4 }, () => openPostgres({ url: server.url }));
    const migrations = [
      { name: 'one', statements: 'create table only_once (a int); insert into only_once values (1)' },
    ];
    await Promise.all(gateways.map((database) => migrate(database, migrations)));
    expect(await gateways[0]?.query('select a from only_once')).toEqual([{ a: 1 }]);
    await Promise.all(gateways.map((database) => database.close()));
  });

  it('is refused when a newer version has migrated it', async () => {
    const database = openPostgres({ url: server.url });
    await expect(migrate(database, [])).rejects.toThrow("the fleet's database has format 1, and this version knows 0");
    await database.close();
  });

  it('works again once the server is back', async () => {
    const database = openPostgres({ url: server.url });
    await database.query('select 1');
    await server.kill();
    await expect(database.query('select 1')).rejects.toThrow();
    await server.restart();
    expect(await database.query('select 2 as two')).toEqual([{ two: 2 }]);
    await database.close();
  });
});

function describeDatabase(open: () => Database): void {
  let database: Database;
  beforeAll(() => {
    database = open();
  });
  afterAll(() => database.close());

  it('takes and gives all kinds of values', async () => {
    const text = 'quote " back \\ slash, {brace} \u20ac \ud83d\ude00 \'';
    const rows = await database.query(
      'select $1::text as text, $2::int as int, $3::bool as bool, $4::bytea as bytes, $5::text[] as texts, $6::int[] as ints, $7::text as nothing, $8::int8 as long',
      [text, 7, true, Uint8Array.of(0, 1, 255), [text, '', 'b'], [1, 2], null, 9_007_199_254_740_993n.toString()],
    );
    const [row] = rows as Record<string, unknown>[];
    expect({ ...row, bytes: Array.from(row?.bytes as Uint8Array) }).toEqual({
      text,
      int: 7,
      bool: true,
      bytes: [0, 1, 255],
      texts: expect.anything(),
      ints: expect.anything(),
      nothing: null,
      long: '9007199254740993',
    });
    const unnested = await database.query('select t from unnest($1::text[]) as t', [[text, '', 'b']]);
    expect(unnested).toEqual([{ t: text }, { t: '' }, { t: 'b' }]);
  });

  it('does all of a transaction, or nothing', async () => {
    await database.execute('create table pair (a int primary key)');
    const twice = database.transaction(async ({ query }) => {
      await query('insert into pair values (1)');
      await query('insert into pair values (1)');
    });
    await expect(twice).rejects.toThrow(/duplicate key/);
    expect(await database.query('select * from pair')).toEqual([]);
    expect(await database.transaction(async ({ query }) => query('insert into pair values (2) returning a'))).toEqual([
      { a: 2 },
    ]);
    await database.execute('drop table pair');
  });
}
