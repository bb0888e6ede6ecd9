import type { StoreBatch } from '../../ports/store.js';
import type { Database } from './sqlite.js';
import type { Transaction } from './transaction.js';
import { createChannelWriter } from './write-channels.js';
import { createDocumentWriter } from './write-documents.js';
import { createLogWriter } from './write-log.js';
import { createSessionWriter } from './write-sessions.js';

/** Writes batches, each in one transaction. */
export function createCommit(
  database: Database,
  transaction: Transaction,
  initialCeiling: number,
): (batch: StoreBatch) => void {
  const raiseCeiling = database.prepare('UPDATE host SET seq_ceiling = max(seq_ceiling, ?)');
  const sessions = createSessionWriter(database);
  const channels = createChannelWriter(database, sessions.idOf);
  const appendLog = createLogWriter(database);
  const putDocument = createDocumentWriter(database, sessions.idOf);

  let ceiling = initialCeiling;
  return (batch) => {
    const nextCeiling = highestSeq(batch, ceiling);
    transaction(() => {
      if (nextCeiling > ceiling) raiseCeiling.run(nextCeiling);
      const removed = channels.put(batch.channels ?? []);
      for (const entry of batch.log ?? []) if (!removed.has(entry.channel)) appendLog(entry);
      for (const summary of batch.summaries ?? []) sessions.putSummary(summary);
      for (const disposal of batch.disposals ?? []) sessions.putDisposal(disposal);
      for (const document of batch.documents ?? []) putDocument(document);
    });
    ceiling = nextCeiling;
  };
}

/** A host that raises the ceiling ahead of its log pays for it rarely; one that forgets still never reuses a number. */
function highestSeq({ seqCeiling = 0, log = [] }: StoreBatch, atLeast: number): number {
  return log.reduce((highest, { lastSeq }) => Math.max(highest, lastSeq), Math.max(seqCeiling, atLeast));
}
