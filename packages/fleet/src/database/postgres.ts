import pg from 'pg';
import type { Database, Queries, Value } from './database.js';

export interface PostgresOptions {
  /** Such as `postgres://moorage@db.example/moorage`; a password in it, or by PGPASSWORD or a password file. */
  readonly url: string;
  readonly maxConnections?: number;
}

/** A gateway needs few: what hosts ship is stored in one transaction at a time, and reads are short. */
const MAX_CONNECTIONS = 8;
const CONNECT_MS = 10_000;
const IDLE_MS = 60_000;

export function openPostgres({ url, maxConnections = MAX_CONNECTIONS }: PostgresOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: 'moorage',
    // Statements that do not wait for each other go to the server together.
    pipeline: true,
  });
  pool.on('error', () => {}); // an idle connection ended: the pool makes another when one is needed
  let closing: Promise<void> | undefined;
  return {
    ...queriesOf(pool),
    transaction: async (work) => {
      const client = await pool.connect();
      let failure: Error | undefined;
      const note = (error: Error) => {
        failure = error;
      };
      client.on('error', note); // the query under way rejects, too; without a listener it would end the process
      try {
        const statements: Promise<unknown>[] = [client.query('begin')];
        const last = (statement: Promise<unknown>) => {
          statement.catch(() => {}); // reported below
          statements.push(statement);
        };
        statements[0]?.catch(() => {}); // as its statements are, which fail then, too
        const result = await work({ ...queriesOf(client, preparedName), last });
        // After a statement that failed, the server takes a commit for a rollback.
        await Promise.all([...statements, client.query('commit')]);
        return result;
      } catch (error) {
        await client.query('rollback').catch(note);
        throw error;
      } finally {
        client.off('error', note);
        client.release(failure);
      }
    },
    close: () => {
      closing ??= pool.end();
      return closing;
    },
  };
}

/** Statements with a name are planned once for each connection. */
function queriesOf(connection: pg.Pool | pg.PoolClient, nameOf?: (text: string) => string): Queries {
  return {
    query: async <Row extends object>(text: string, values: readonly Value[] = []) => {
      const statement = { text, values: values.map(parameter), ...(nameOf && { name: nameOf(text) }) };
      return (await connection.query<Row>(statement)).rows;
    },
    execute: async (text) => {
      await connection.query(text);
    },
  };
}

function parameter(value: Value): unknown {
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value;
}

const names = new Map<string, string>();

/** Transactions have the same few statements again and again. */
function preparedName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `moorage${names.size}`;
  names.set(text, name);
  return name;
}
