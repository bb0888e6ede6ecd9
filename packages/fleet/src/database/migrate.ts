import type { Database } from './database.js';

export interface Migration {
  /** Never changed once it was released; its place in the list is its number. */
  readonly name: string;
  readonly statements: string;
}

/** Any number that nothing else in the database locks. */
const LOCK = 6_866_720;

/**
 * Brings the tables up to date. Several gateways may start at once: one migrates, the others wait. Migrations only add, so
 * that gateways of the version before go on. A database of a newer version is refused.
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<void> {
  await database.transaction(async ({ query, execute }) => {
    await query('select pg_advisory_xact_lock($1)', [LOCK]);
    await execute('create table if not exists migration (number int primary key, name text not null)');
    const done = await query<{ number: number }>('select number from migration order by number');
    const last = done.at(-1)?.number ?? 0;
    if (last > migrations.length) {
      throw new Error(
        `the fleet's database has format ${last}, and this version knows ${migrations.length}: use a newer moorage`,
      );
    }
    for (const [index, { name, statements }] of migrations.entries()) {
      if (index < last) continue;
      await execute(statements);
      await query('insert into migration values ($1, $2)', [index + 1, name]);
    }
  });
}
