import { createRequire } from 'node:module';

/** The part of SQLite's interface that the store uses. It is the same in node:sqlite and @photostructure/sqlite. */
export interface Database {
  exec(sql: string): void;
  /**
   * `Row` must match what the SQL selects; only the tests check that. Parameters must be plain `?`, because older releases
   * of node:sqlite do not bind `?1` by position.
   */
  prepare<Row = never>(sql: string): Statement<Row>;
  close(): void;
}

export interface Statement<Row> {
  run(...values: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  iterate(...values: SqlValue[]): IterableIterator<Row>;
}

type SqlValue = string | number | null;

export function openDatabase(file: string, options: OpenOptions = {}): Database {
  const { DatabaseSync } = findSqlite();
  return new DatabaseSync(file, options);
}

interface OpenOptions {
  readonly readOnly?: boolean;
}

interface SqliteModule {
  readonly DatabaseSync: new (file: string, options: OpenOptions) => Database;
}

/** Node's own SQLite where it needs no flag (22.13 and newer), else the package. */
function findSqlite(): SqliteModule {
  const builtIn = process.getBuiltinModule('node:sqlite') as SqliteModule | undefined;
  return builtIn ?? createRequire(import.meta.url)('@photostructure/sqlite');
}
