import type { ChannelKind, SessionSummary, URI } from '@moorage/protocol';

/**
 * Where durable channels live. `commit` is all or nothing: once it returns, the batch survives the death of the process; if
 * it throws, nothing was changed. Reads see everything committed before. All calls are synchronous, so that the core never
 * waits between deciding and storing. Every failure throws a StoreError whose message says what to do.
 */
export interface Store {
  /** Read by the host before it serves, as of the last commit. Reading it must not take longer with more sessions. */
  readonly header: StoreHeader;
  /** Stores all of it or, if it throws, nothing. A batch that breaks a rule of these interfaces throws, of kind `broken`. */
  commit(batch: StoreBatch): void;
  /** Reads channels with their logs. */
  readonly channels: ChannelReader;
  /** Reads the list of sessions. */
  readonly sessions: SessionReader;
  /** Reads documents. */
  readonly documents: DocumentReader;
  /**
   * What is committed, for whoever keeps a second copy of it. Recorded from the first call on, and across restarts as long
   * as each calls this before it commits; a store that nobody asks records nothing. Only members of a fleet need it.
   */
  feed?(options?: FeedOptions): StoreFeed;
  /**
   * Every call after this, also for `header`, throws a StoreError which says that the store is closed; except `close`, which
   * may be called again.
   */
  close(): void;
}

/** A store that members of a fleet can use. */
export type StoreWithFeed = Store & Required<Pick<Store, 'feed'>>;

export interface StoreHeader {
  /** No serverSeq up to and including this one may be used again. Never falls, and is never below the log. */
  readonly seqCeiling: number;
  /** Channels whose last put had `unsettled` set, in the order of their creation, without those of disposed sessions. */
  readonly unsettled: readonly URI[];
}

/**
 * One transaction: everything that one tick of the host decided. Its parts take effect in the order of these members. Log
 * entries of a channel that the batch removes are dropped.
 */
export interface StoreBatch {
  /** No number up to this one is ever given again. */
  readonly seqCeiling?: number;
  /** New or changed channels. A channel must be put in the same batch as its first log entry, or earlier. */
  readonly channels?: readonly ChannelPut[];
  /** Actions, in the order of their numbers. */
  readonly log?: readonly LogPut[];
  /** Entries of the list of sessions. */
  readonly summaries?: readonly SummaryPut[];
  /**
   * Sessions that were disposed (their data stays until purged), or restored (`disposedAt` undefined). Epoch milliseconds. Unknown
   * sessions are ignored. What belongs to a disposed session may still be put, also in the batch that restores it.
   */
  readonly disposals?: readonly { readonly session: URI; readonly disposedAt: number | undefined }[];
  /** Documents to write or, without text, to delete; deleting one that is not there is no mistake. */
  readonly documents?: readonly DocumentPut[];
}

/** Creates, changes or removes a channel. */
export interface ChannelPut {
  /** The URI of the channel. */
  readonly uri: URI;
  /** What kind of channel it is. */
  readonly kind: ChannelKind;
  /** The session it belongs to; for a session its own URI. */
  readonly session: URI;
  /** Listed in the header's `unsettled` after a restart. */
  readonly unsettled: boolean;
  /**
   * The state after the action numbered `seq`, so that loading needs no log up to it. Required for a new channel, and for one
   * that was removed before, which is then a new one; otherwise the last snapshot stays. One from before what is left of the log
   * is refused.
   */
  readonly snapshot?: { readonly seq: number; readonly json: string };
  /** Removes the channel with its log. Its URI still counts as used for `ChannelReader.exists`. */
  readonly removed?: boolean;
}

/**
 * Envelopes of one channel to append to its log, as one entry. All serverSeqs must be above those of earlier commits, for any
 * channel, above those of the channel's earlier entries in the batch, and after a restart above the ceiling; otherwise the
 * commit throws. Several channels of one batch may take turns: 1 and 3 of one, 2 and 4 of another.
 */
export interface LogPut {
  /** The channel that the actions are of. */
  readonly channel: URI;
  /** The number of the first action. */
  readonly firstSeq: number;
  /** The number of the last action. */
  readonly lastSeq: number;
  /** The envelopes as JSON texts joined by commas, oldest first. */
  readonly envelopes: string;
}

/** The summary of a session, as lists show it. */
export interface SummaryPut {
  /** The session whose entry it is. */
  readonly session: URI;
  /** Milliseconds since the epoch; lists are sorted by it. */
  readonly modifiedAt: number;
  /** JSON text. Returned unchanged by `SessionReader.list`. */
  readonly json: string;
}

export interface ChannelReader {
  /** The channel; undefined when it is unknown or removed, or its session is disposed. */
  read(uri: URI): StoredChannel | undefined;
  /** Like `read`, for a channel that may be long: its snapshot is read while its pieces are taken, each in little time. */
  readInPieces(uri: URI): ChannelInPieces | undefined;
  /** Whether the URI is or was used: also for removed channels and those of disposed sessions, until they are purged. */
  exists(uri: URI): boolean;
  /**
   * The envelopes after a serverSeq as JSON texts joined by commas, exactly as stored. Undefined when some of them were
   * trimmed, when the serverSeq is before the channel's first snapshot, and when `read` gives undefined.
   */
  replay(uri: URI, afterSeq: number): string | undefined;
  /**
   * Drops the oldest log entries, each whole as it was put, until the `envelopes` of the others have at most `keepBytes` (UTF-8)
   * together; but no entry with an action that the snapshot does not cover. Ignores unknown channels.
   */
  trim(uri: URI, keepBytes: number): void;
}

/** The newest snapshot of a channel, and the log after it. */
export interface StoredChannel {
  /** What kind of channel it is. */
  readonly kind: ChannelKind;
  /** The session that it belongs to. */
  readonly session: URI;
  /** Its state, and the number up to which it is current. */
  readonly snapshot: { readonly seq: number; readonly json: string };
  /** The envelopes after the snapshot as JSON texts joined by commas; empty when there are none. */
  readonly tail: string;
}

/** A stored channel whose snapshot has not been read yet. */
export interface ChannelInPieces extends Pick<StoredChannel, 'kind' | 'session' | 'tail'> {
  /** Its state, piece by piece, and the number up to which it is current. */
  readonly snapshot: {
    readonly seq: number;
    /** The length of its JSON text in UTF-8. */
    readonly bytes: number;
    /** The JSON text. Taking a piece throws a StoreError once another snapshot has replaced this one. */
    readonly pieces: Iterable<string>;
  };
}

/** A channel of a disposed session, as `ChannelReader.read` will return it once the session is restored. */
export interface DisposedChannel extends StoredChannel {
  /** The URI of the channel. */
  readonly uri: URI;
}

/** Lists sessions, and purges disposed ones. Sessions without a summary, or with a damaged one, are not listed. */
export interface SessionReader {
  /**
   * The summaries of all sessions that are not disposed, as JSON texts, newest `modifiedAt` first; of the same time, the session
   * that was created last.
   */
  list(): readonly string[];
  /** How many summaries `list` would return if none is damaged. */
  count(): number;
  /** Disposed sessions with their time of disposal (epoch milliseconds), latest disposal first. */
  listDisposed(): readonly { readonly disposedAt: number; readonly summary: SessionSummary }[];
  /** The channels of a disposed session in the order of their creation; empty when it is unknown or not disposed. */
  readDisposed(session: URI): readonly DisposedChannel[];
  /** Permanently deletes sessions disposed before a time (epoch milliseconds), with all their data; returns how many. */
  purge(disposedBefore: number): number;
}

/** Reads documents: small JSON texts by collection and key that are not channels, such as the resume state of an agent. */
export interface DocumentReader {
  /** The text of a document; undefined if there is none. */
  read(collection: DocumentCollection, key: string): string | undefined;
  /** The JSON texts of all documents that belong to a session, even if it is disposed. */
  ofSession(session: URI): readonly string[];
  /** The same with their names. */
  entriesOf(session: URI): readonly StoredDocument[];
}

/** How the keys of contents begin that never leave this host: whoever keeps a second copy of what is committed leaves them out. */
export const STAYS_HERE = 'here-';

/** A document with its name. */
export interface StoredDocument {
  /** The collection it is in. */
  readonly collection: DocumentCollection;
  /** Its name there. */
  readonly key: string;
  /** Its text. */
  readonly json: string;
}

/** The collections of documents. Each is used by one service. */
export type DocumentCollection =
  | 'client'
  | 'agentChat'
  | 'agentSession'
  | 'agentCommands'
  | 'rewind'
  | 'queueDue'
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
  | 'provisional'
  | 'push'
  | 'retention'
  | 'automation'
  | 'hostTools';

/** Stores or deletes a document. */
export interface DocumentPut {
  /** The collection it is in. */
  readonly collection: DocumentCollection;
  /** Its name there. */
  readonly key: string;
  /** The session it belongs to, and is purged with, if any. */
  readonly session?: URI;
  /** JSON text, or undefined to delete it. */
  readonly json: string | undefined;
}

export interface FeedOptions {
  /** Bytes of log that are kept for the feed though they could be trimmed; beyond, it starts over. Default: 1 GiB. */
  readonly maxKeptBytes?: number;
}

/**
 * A cursor over what was committed, by tick: each commit that changes something which the feed has is the next number. A feed begins with all
 * that is stored. It starts over, with another id, when it cannot go on: the store is a copy, may have lost its last
 * commits, was written without the feed, or would have had to keep too much.
 */
export interface StoreFeed {
  /** Names the feed. */
  readonly id: string;
  /** The tick that it begins after. */
  readonly start: number;
  /** The newest committed tick. */
  readonly last: number;
  /** The last tick that was acknowledged. */
  readonly acknowledged: number;
  /**
   * Whole ticks after the given one: as many as there are, or until they have about `maxBytes`, but at least one. From before
   * what was acknowledged it throws, and says to start it over.
   */
  read(after: number, maxBytes: number): FeedBatch;
  /** Nothing up to this tick will be read again: it may be trimmed. */
  acknowledge(upTo: number): void;
  /** Starts over, for a reader that needs what was acknowledged. */
  restart(): void;
}

/** What changed in the ticks after `after`, up to and including `upTo`. Values are the newest, which may be from later ticks. */
export interface FeedBatch {
  /** The tick before its first. */
  readonly after: number;
  /** Its last tick. */
  readonly upTo: number;
  /** Every channel that the reader has not had yet and that the log names, too. */
  readonly channels: readonly FeedChannel[];
  /** The entries of the log as they were put, in order, without those of channels that are removed by now. */
  readonly log: readonly LogPut[];
  /** Entries of sessions that changed. */
  readonly sessions: readonly FeedSession[];
  /** Those that belong to a session; and deleted ones. */
  readonly documents: readonly DocumentPut[];
}

export interface FeedChannel extends Pick<ChannelPut, 'uri' | 'kind' | 'session'> {
  /** Undefined once the channel is removed. */
  readonly snapshot: { readonly seq: number; readonly json: string } | undefined;
  /** The log cannot be replayed from before this serverSeq. */
  readonly replayableAfter: number;
  /** It replaces what the reader has of the channel from earlier feeds; the batch has all its log from before this one. */
  readonly isWhole: boolean;
}

export interface FeedSession {
  /** The URI of the session. */
  readonly session: URI;
  /** When something last happened in it, in milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Its entry in the list, as JSON. */
  readonly summary: string;
  /** When it was removed; undefined while it is there. */
  readonly disposedAt: number | undefined;
}

/** Why the store failed. The message is sent to clients and must say what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** `unavailable` may pass by itself (locked, disk full); `broken` does not (damaged, closed, an invalid batch). */
  readonly kind: 'unavailable' | 'broken';

  constructor(kind: StoreError['kind'], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}
