import type { Database, Statement } from '../shared/sqlite.js';

/** Runs `work` as one transaction. If it throws, or if the commit fails, all its changes are rolled back. */
export type Transaction = <T>(work: () => T) => T;

/** What is added to the first transaction of a connection, and done once that is committed. */
export interface FirstTransaction {
  inside(): void;
  afterwards(): void;
}

export function createTransaction(database: Database, first?: FirstTransaction): Transaction {
  // Takes the write lock first, so that a busy database is noticed before anything is done.
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  let isFirst = first !== undefined;
  const run: Transaction = (work) => {
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      undo(rollback);
      throw error;
    }
  };
  return (work) => {
    if (!isFirst) return run(work);
    const result = run(() => {
      first?.inside();
      return work();
    });
    isFirst = false;
    first?.afterwards();
    return result;
  };
}

function undo(rollback: Statement<never>): void {
  try {
    rollback.run();
  } catch {
    // When the disk is full or fails, SQLite has already rolled back by itself.
  }
}
