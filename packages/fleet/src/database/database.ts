/** A PostgreSQL database. Values of type int8 come as strings: what is a number is cast in the query. */
export interface Database extends Queries {
  /** All or nothing. Rejects with the error of the work, or with that of the commit: then nobody knows whether it is stored. */
  transaction<T>(work: (queries: TransactionQueries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface Queries {
  /** One statement; `$1` and so on stand for the values. */
  query<Row extends object>(text: string, values?: readonly Value[]): Promise<readonly Row[]>;
  /** Several statements without values. */
  execute(text: string): Promise<void>;
}

export interface TransactionQueries extends Queries {
  /** The commit is asked for without waiting for this statement, whose result nobody needs. If it fails, nothing is stored. */
  last(statement: Promise<unknown>): void;
}

export type Value = string | number | boolean | null | Uint8Array | readonly string[] | readonly number[];
