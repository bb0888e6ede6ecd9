import type { Database, Statement } from '../shared/sqlite.js';

/** Runs `work` as one transaction. If it throws, or if the commit fails, all its changes are rolled back. */
export type Transaction = <T>(work: () => T) => T;

export function createTransaction(database: Database): Transaction {
  // Takes the write lock first, so that a busy database is noticed before anything is done.
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  return (work) => {
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
}

function undo(rollback: Statement<never>): void {
  try {
    rollback.run();
  } catch {
    // When the disk is full or fails, SQLite has already rolled back by itself.
  }
}
