import type { StoreBatch } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';
import type { Transaction } from './transaction.js';
import { createChannelWriter } from './write-channels.js';
import { createDocumentWriter } from './write-documents.js';
import { createLogWriter } from './write-log.js';
import { createSessionWriter } from './write-sessions.js';

/** Writes each batch in one transaction. */
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
  let usedUpTo = initialCeiling;
  return (batch) => {
    const log = batch.log ?? [];
    const highestSeq = log.reduce((highest, { lastSeq }) => Math.max(highest, lastSeq), usedUpTo);
    // Never below the log, so that no number is reused even if a host does not raise the ceiling in advance.
    const nextCeiling = Math.max(ceiling, batch.seqCeiling ?? 0, highestSeq);
    transaction(() => {
      if (nextCeiling > ceiling) raiseCeiling.run(nextCeiling);
      const removed = channels.put(batch.channels ?? []);
      const kept = removed.size === 0 ? log : log.filter(({ channel }) => !removed.has(channel));
      appendLog(kept, usedUpTo);
      for (const summary of batch.summaries ?? []) sessions.putSummary(summary);
      for (const disposal of batch.disposals ?? []) sessions.putDisposal(disposal);
      for (const document of batch.documents ?? []) putDocument(document);
    });
    ceiling = nextCeiling;
    usedUpTo = highestSeq;
  };
}
