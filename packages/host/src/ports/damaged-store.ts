import type { ChannelKind, URI } from '@ahpd/protocol';
import type { DocumentCollection } from './store.js';

/**
 * What can be read of a store that is damaged, and only read: it never writes to what it reads. Texts are as they are found;
 * whoever uses them checks them.
 */
export interface DamagedStore {
  /** At least every number that is known to have been used. */
  readonly seqCeiling: number;
  readonly sessions: readonly DamagedSession[];
  readonly channels: readonly DamagedChannel[];
  /** The newest snapshot of a channel; undefined when it cannot be read. */
  snapshot(channel: DamagedChannel): { readonly seq: number; readonly json: string } | undefined;
  /** What can be read of the log of a channel, oldest first, and whether some of it cannot. */
  log(channel: DamagedChannel): { readonly entries: readonly DamagedLogEntry[]; readonly hasGaps: boolean };
  documents(): Iterable<DamagedDocument>;
  /** URIs of sessions and channels that are known to be there, of which nothing else can be read. */
  readonly unreadable: readonly URI[];
  /** How many documents are known to be there and cannot be found. */
  readonly unreadableDocuments: number;
  /** Bytes that the file has fewer than it says. */
  readonly missingBytes: number;
  close(): void;
}

/** A session of which at least the name could be read. */
export interface DamagedSession {
  readonly id: number;
  readonly uri: URI;
  /** As `listSessions` sends it. */
  readonly summary: string | undefined;
  readonly disposedAt: number | undefined;
}

/** A channel of which at least the name could be read. */
export interface DamagedChannel {
  readonly id: number;
  readonly uri: URI;
  readonly kind: ChannelKind;
  /** The `id` of its session. */
  readonly session: number;
}

/** Some envelopes of a log that lay together. */
export interface DamagedLogEntry {
  readonly lastSeq: number;
  /** JSON texts joined by commas. */
  readonly envelopes: string;
}

/** A document whose text could be read. */
export interface DamagedDocument {
  readonly collection: DocumentCollection;
  readonly key: string;
  readonly session: number | undefined;
  readonly json: string;
}
