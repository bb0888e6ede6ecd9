import type { ChannelKind, SessionSummary, URI } from '@ahpd/protocol';

/**
 * Where durable channels live. Guarantees: `commit` is all or nothing and survives the death of the process once it
 * returned; a failed `commit` changed nothing; reads see all that was committed. Every call is synchronous, so that
 * the core never waits between deciding and storing. A failure throws a StoreError that says what to do.
 */
export interface Store {
  /** What a host must know before it serves, as of the last commit: nothing here grows with the number of sessions. */
  readonly header: StoreHeader;
  commit(batch: StoreBatch): void;
  readonly channels: ChannelReader;
  readonly sessions: SessionReader;
  readonly documents: DocumentReader;
  close(): void;
}

/** What a host must know before anything else. */
export interface StoreHeader {
  /** No serverSeq up to and including this one may be used again. Never falls, and is never below the log. */
  readonly seqCeiling: number;
  /** Channels that were put as unsettled: something was under way in them when the last host ended. Not disposed ones. */
  readonly unsettled: readonly URI[];
}

/**
 * One transaction: everything that one tick of the host decided. Its parts take effect in the order of this interface;
 * log entries of a channel that it removes are dropped with it.
 */
export interface StoreBatch {
  readonly seqCeiling?: number;
  /** New or changed channels; a channel must be put before or with its first log entry. */
  readonly channels?: readonly ChannelPut[];
  readonly log?: readonly LogPut[];
  readonly summaries?: readonly SummaryPut[];
  /** Sessions that were disposed (their data stays until it is purged) or restored. */
  readonly disposals?: readonly { readonly session: URI; readonly disposedAt: number | undefined }[];
  readonly documents?: readonly DocumentPut[];
}

/** What is stored of a channel besides its log. */
export interface ChannelPut {
  readonly uri: URI;
  readonly kind: ChannelKind;
  /** The session it belongs to; its own URI for a session. */
  readonly session: URI;
  /** Listed in the header's `unsettled` after a restart. */
  readonly unsettled: boolean;
  /** A state that makes the log up to `seq` unnecessary for loading; required when the channel is new. */
  readonly snapshot?: { readonly seq: number; readonly json: string };
  /** The channel no longer exists, though its session may. */
  readonly removed?: boolean;
}

/**
 * Consecutive envelopes of one channel. Numbers only rise: all are above those of earlier commits, whichever channel
 * these were for, and after a restart above the ceiling. What does not is refused.
 */
export interface LogPut {
  readonly channel: URI;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** The envelopes as JSON texts joined by commas, oldest first. */
  readonly envelopes: string;
}

/** What lists show of a session. */
export interface SummaryPut {
  readonly session: URI;
  readonly modifiedAt: number;
  /** The summary as JSON text, as `listSessions` will send it. */
  readonly json: string;
}

/** Channels as they are stored. */
export interface ChannelReader {
  /** The newest snapshot and the envelopes after it; undefined when it is unknown, removed, or its session disposed. */
  read(uri: URI): StoredChannel | undefined;
  /** Whether the URI was ever used, also by a channel that was removed or whose session is disposed, but not purged. */
  exists(uri: URI): boolean;
  /**
   * The envelopes after a serverSeq as JSON texts joined by commas; undefined when some of them are gone, when that seq
   * lies before the snapshot that the channel began with, and when `read` gives nothing.
   */
  replay(uri: URI, afterSeq: number): string | undefined;
  /** Forgets the oldest log of a channel that its snapshot covers, until at most that many bytes of log are left. */
  trim(uri: URI, keepBytes: number): void;
}

/** A snapshot, and what was logged after it. */
export interface StoredChannel {
  readonly kind: ChannelKind;
  readonly session: URI;
  readonly snapshot: { readonly seq: number; readonly json: string };
  /** The envelopes after the snapshot as JSON texts joined by commas; empty when there are none. */
  readonly tail: string;
}

/** A channel whose session is disposed, as `ChannelReader.read` will give it once that is restored. */
export interface DisposedChannel extends StoredChannel {
  readonly uri: URI;
}

/** Sessions as lists show them, and as they are let go of. */
export interface SessionReader {
  /** The summaries of all sessions that are not disposed as JSON texts, newest `modifiedAt` first. */
  list(): readonly string[];
  count(): number;
  /** The same for disposed sessions, with the time of disposal, the latest disposal first. */
  listDisposed(): readonly { readonly disposedAt: number; readonly summary: SessionSummary }[];
  /** The channels of a disposed session, the first that it had first; none when it is unknown or not disposed. */
  readDisposed(session: URI): readonly DisposedChannel[];
  /** Deletes sessions disposed before that time for good, with all that belongs to them; how many. */
  purge(disposedBefore: number): number;
}

/** Small things by key that are no channel: what is known of a client, how an agent resumes a chat, the root config. */
export interface DocumentReader {
  read(collection: DocumentCollection, key: string): string | undefined;
  /** The JSON texts of all documents that belong to a session, also a disposed one. */
  ofSession(session: URI): readonly string[];
}

/** Who keeps documents; each service has its own. */
export type DocumentCollection =
  | 'client'
  | 'agentChat'
  | 'agentSession'
  | 'agentCommands'
  | 'rewind'
  | 'annotationPlace'
  | 'rootConfig'
  | 'content'
  | 'changes'
  | 'grants'
  | 'owner'
  | 'customizations'
  | 'worktree'
  | 'removedChats'
  | 'userTitle'
  | 'retention';

/** A document that is stored, or removed when it has no text. */
export interface DocumentPut {
  readonly collection: DocumentCollection;
  readonly key: string;
  /** The session that it is purged with, if any. */
  readonly session?: URI;
  /** JSON text, or undefined to delete it. */
  readonly json: string | undefined;
}

/** Why the store cannot serve. `unavailable` may pass by itself (locked, disk full), `broken` does not. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly kind: 'unavailable' | 'broken';

  constructor(kind: StoreError['kind'], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}
