import type { ChannelKind, URI } from '@moorage/protocol';
import type { DocumentCollection } from './store.js';

/**
 * Reads what is left of a damaged store, or of one that was not closed, or is still open. It never writes to the store, and no
 * call throws because of damage. Texts are
 * returned as they are found: the caller must validate them.
 */
export interface DamagedStore {
  /** No lower than any serverSeq that is known to have been used. */
  readonly seqCeiling: number;
  /** All sessions that can be found, also disposed ones. */
  readonly sessions: readonly DamagedSession[];
  /** The channels of which something is left; not those that were removed. */
  readonly channels: readonly DamagedChannel[];
  /** The newest snapshot of a channel; undefined when none can be read. */
  snapshot(channel: DamagedChannel): { readonly seq: number; readonly json: string } | undefined;
  /** The readable log entries of a channel, oldest first. `hasGaps`: some entries cannot be read. */
  log(channel: DamagedChannel): { readonly entries: readonly DamagedLogEntry[]; readonly hasGaps: boolean };
  /** The documents that can be read. */
  documents(): Iterable<DamagedDocument>;
  /** Sessions and channels that are known to exist, but of which only the URI can be read. */
  readonly unreadable: readonly URI[];
  /** The number of documents that are known to exist but cannot be read. */
  readonly unreadableDocuments: number;
  /** How many bytes the file is shorter than its header says. */
  readonly missingBytes: number;
  /** Gives the file back; nothing in it was changed. */
  close(): void;
}

/** A session of which at least the URI could be read. */
export interface DamagedSession {
  /** Referred to by channels and documents. */
  readonly id: number;
  /** The URI of the session. */
  readonly uri: URI;
  /** JSON text, as `listSessions` sends it; undefined when it cannot be read. */
  readonly summary: string | undefined;
  /** Milliseconds since the epoch; undefined for a session that is not disposed. */
  readonly disposedAt: number | undefined;
}

/** A channel of which at least the URI could be read. */
export interface DamagedChannel {
  /** Its number in the store, by which its log is found. */
  readonly id: number;
  /** The URI of the channel. */
  readonly uri: URI;
  /** What kind of channel it is. */
  readonly kind: ChannelKind;
  /** The `id` of the session it belongs to. */
  readonly session: number;
}

/** Consecutive envelopes of a channel's log. */
export interface DamagedLogEntry {
  /** The number of its last action. */
  readonly lastSeq: number;
  /** JSON texts joined by commas. */
  readonly envelopes: string;
}

/** A document whose text could be read. */
export interface DamagedDocument {
  /** The collection it is in. */
  readonly collection: DocumentCollection;
  /** Its name there. */
  readonly key: string;
  /** The `id` of the session it belongs to, if any. */
  readonly session: number | undefined;
  /** The document, as JSON text. */
  readonly json: string;
}
