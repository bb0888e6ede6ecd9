import type { URI } from '@moorage/protocol';
import { type LogPut, StoreError } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';

/** Appends to the log. Throws for unknown channels and for numbers already used, which would make a replay wrong. */
export function createLogWriter(database: Database): (entries: readonly LogPut[], usedUpTo: number) => void {
  const insert = database.prepare(`
    INSERT INTO log (channel_id, first_seq, last_seq, envelopes)
    SELECT id, ?, ?, ? FROM channels WHERE uri = ? AND NOT removed
  `);
  return (entries, usedUpTo) => {
    const ends = new Map<URI, number>();
    for (const { channel, firstSeq, lastSeq, envelopes } of entries) {
      const end = ends.get(channel) ?? usedUpTo;
      if (firstSeq <= end || lastSeq < firstSeq) throw alreadyUsed(channel, firstSeq, lastSeq, end);
      if (insert.run(firstSeq, lastSeq, envelopes, channel).changes === 0) throw unknown(channel);
      ends.set(channel, lastSeq);
    }
  };
}

function alreadyUsed(channel: URI, firstSeq: number, lastSeq: number, end: number): StoreError {
  return new StoreError('broken', `The log of ${channel} cannot take ${firstSeq} to ${lastSeq} after ${end}.`);
}

function unknown(channel: URI): StoreError {
  return new StoreError('broken', `The log of ${channel} was written, but never the channel.`);
}
