import type { Database, Statement } from '../shared/sqlite.js';

/** Runs `work` as one transaction: when it throws, or when the commit fails, nothing of it stays. */
export type Transaction = <T>(work: () => T) => T;

export function createTransaction(database: Database): Transaction {
  // Taking the write lock first means that a busy database is found out before anything was done.
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
    // SQLite rolls back by itself when the disk is full or fails; then there is no transaction left to end.
  }
}
