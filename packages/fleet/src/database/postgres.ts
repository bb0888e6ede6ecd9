import postgres from 'postgres';
import type { Database, Queries, Value } from './database.js';

export interface PostgresOptions {
  /** Such as `postgres://moorage@db.example/moorage`; a password in it, or by PGPASSWORD or a password file. */
  readonly url: string;
  readonly maxConnections?: number;
}

/** A gateway needs few: what hosts ship is stored in one transaction at a time, and reads are short. */
const MAX_CONNECTIONS = 8;
const CONNECT_SECONDS = 10;
const IDLE_SECONDS = 60;

export function openPostgres({ url, maxConnections = MAX_CONNECTIONS }: PostgresOptions): Database {
  const sql = postgres(url, {
    max: maxConnections,
    connect_timeout: CONNECT_SECONDS,
    idle_timeout: IDLE_SECONDS,
    onnotice: () => {}, // such as "relation already exists, skipping"
    fetch_types: false, // would ask for the types of arrays at each connection; we cast them
    connection: { application_name: 'moorage' },
  });
  return {
    ...queriesOf(sql),
    transaction: (work) => sql.begin((inside) => work(queriesOf(inside))) as ReturnType<typeof work>,
    close: () => sql.end({ timeout: 5 }),
  };
}

function queriesOf(sql: postgres.Sql | postgres.TransactionSql): Queries {
  return {
    query: async <Row extends object>(text: string, values: readonly Value[] = []) =>
      (await sql.unsafe(text, values.map(parameter), { prepare: true })) as unknown as readonly Row[],
    execute: async (text) => {
      await sql.unsafe(text).simple();
    },
  };
}

/** Arrays are written as PostgreSQL writes them; the query casts them, as in `$1::text[]`. */
function parameter(value: Value): postgres.ParameterOrJSON<never> {
  if (!Array.isArray(value)) return value as postgres.ParameterOrJSON<never>;
  const items = value.map((item) => (typeof item === 'number' ? String(item) : quoted(item as string)));
  return `{${items.join(',')}}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
