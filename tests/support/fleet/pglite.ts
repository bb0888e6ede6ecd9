import { PGlite, type Transaction } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import type { Database, Queries } from '@moorage/fleet';

/** PostgreSQL inside this process: one connection, nothing kept. For what needs neither kills nor two connections. */
export function openPglite(): Database {
  const lite = new PGlite({ extensions: { pg_trgm } });
  return {
    ...queriesOf(lite),
    transaction: (work) =>
      lite.transaction(async (inside) => {
        const statements: Promise<unknown>[] = [];
        const last = (statement: Promise<unknown>) => {
          statement.catch(() => {});
          statements.push(statement);
        };
        const result = await work({ ...queriesOf(inside), last });
        await Promise.all(statements);
        return result;
      }) as ReturnType<typeof work>,
    close: () => lite.close(),
  };
}

function queriesOf(lite: PGlite | Transaction): Queries {
  return {
    query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await lite.query<Row>(text, [...values], { parsers: { 20: (value: string) => value } })).rows,
    execute: async (text) => {
      await lite.exec(text);
    },
  };
}
