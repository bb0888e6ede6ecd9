import type { SessionReader } from '../../ports/store.js';
import type { MemoryDisk } from './disk.js';

/** `readDisposed` is part of the channel reader. */
export function createSessionReader({
  sessions,
  channels,
  documents,
}: MemoryDisk): Omit<SessionReader, 'readDisposed'> {
  const withSummary = () =>
    [...sessions.values()].reverse().flatMap(({ summary, disposedAt }) => (summary ? [{ summary, disposedAt }] : []));
  const listed = () =>
    withSummary()
      .filter(({ disposedAt }) => disposedAt === undefined)
      .sort((one, other) => other.summary.modifiedAt - one.summary.modifiedAt);
  return {
    list: () => listed().map(({ summary }) => summary.json),
    count: () => listed().length,
    listDisposed: () =>
      withSummary()
        .flatMap(({ summary, disposedAt }) =>
          disposedAt === undefined ? [] : [{ disposedAt, summary: JSON.parse(summary.json) }],
        )
        .sort((one, other) => other.disposedAt - one.disposedAt),
    purge: (disposedBefore) => {
      const purged = new Set(
        [...sessions].flatMap(([uri, { disposedAt = Infinity }]) => (disposedAt < disposedBefore ? [uri] : [])),
      );
      for (const uri of purged) sessions.delete(uri);
      for (const [uri, { session }] of channels) if (purged.has(session)) channels.delete(uri);
      for (const [id, { session }] of documents) if (session && purged.has(session)) documents.delete(id);
      return purged.size;
    },
  };
}
