import { createRequire } from 'node:module';

/** The part of SQLite's interface that the store uses: the same in node:sqlite and @photostructure/sqlite. */
export interface Database {
  exec(sql: string): void;
  /**
   * `Row` is what the SQL selects; nothing checks it but the tests. Parameters are plain `?`: older releases of
   * node:sqlite do not bind `?1` by position.
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

/** Node's own SQLite where it has one without a flag (22.13 and newer); the package is loaded only where it has none. */
function findSqlite(): SqliteModule {
  const builtIn = process.getBuiltinModule('node:sqlite') as SqliteModule | undefined;
  return builtIn ?? createRequire(import.meta.url)('@photostructure/sqlite');
}
