import type { FeedBatch, StoredChannel, StoredDocument } from '@moorage/host';
import type { ChannelKind, URI } from '@moorage/protocol';
import type { KeptObject } from '../files/objects.js';

/**
 * What hosts have shipped: the same numbers and the same texts as in their own stores, for when they are away or gone. A
 * session belongs to one host at a time, by an epoch that is checked in the transaction that appends.
 */
export interface FleetStore {
  /** Stores what hosts shipped, at most one append of each host, in one transaction. Verdicts are in the same order. */
  append(all: readonly HostAppend[]): Promise<readonly Verdict[]>;
  /**
   * Gives a session to a host, after all that its owner is storing now. `changed` when it is not of the expected epoch,
   * `leased` while its owner has a lease.
   */
  take(session: URI, by: string, expected: number): Promise<TakenSession | 'changed' | 'leased'>;
  readonly channels: FleetChannels;
  readonly sessions: FleetSessions;
  /** Parts of what is too long for one message; any gateway may get any of them. */
  readonly parts: FleetParts;
  /** What a host needs that has taken a session, or lost one. */
  readonly moves: FleetMoves;
  /** States of the folders of sessions. */
  readonly files: FleetFiles;
  /** Deletes what is older than it has to be kept. */
  retain(limits: RetentionLimits): Promise<{ readonly sessions: number; readonly logEntries: number }>;
}

/** One batch of a host's feed. */
export interface HostAppend {
  readonly host: string;
  readonly feed: string;
  /** The tick that the feed begins after. */
  readonly start: number;
  /** The epochs in which the host has sessions that it did not make itself, or has got back. Others are in FIRST_EPOCH. */
  readonly epochs: Readonly<Record<URI, number>>;
  readonly batch: FeedBatch;
}

export const FIRST_EPOCH = 1;

/**
 * `known`: all of it was stored before. `gap`: nothing was stored, since it does not follow the position. `fenced`: these
 * sessions belong to another host, or to a later epoch, and nothing of them was stored; all else was. `refused`: the host is
 * not a member, or its feed was replaced by a later one.
 */
export type Verdict =
  | { readonly verdict: 'ok' | 'known' | 'gap'; readonly position: number }
  | { readonly verdict: 'fenced'; readonly position: number; readonly sessions: readonly URI[] }
  | { readonly verdict: 'refused'; readonly reason: 'unknown' | 'replaced' };

export interface FleetChannels {
  /** The channel, with the host whose numbers it has. Undefined when unknown, removed, or its session is disposed. */
  read(uri: URI): Promise<(StoredChannel & { readonly host: string }) | undefined>;
  /**
   * The envelopes of each channel after a serverSeq of the host, as JSON texts joined by commas. Undefined for channels
   * whose log does not reach back that far, and for those that are not the host's.
   */
  replay(host: string, uris: readonly URI[], after: number): Promise<ReadonlyMap<URI, string | undefined>>;
}

export interface FleetSessions {
  /** Newest first. */
  page(query: SessionQuery, cursor?: SessionCursor): Promise<SessionPage>;
  owner(session: URI): Promise<{ readonly host: string; readonly epoch: number } | undefined>;
  /** The JSON texts of the documents of a session. */
  documents(session: URI): Promise<readonly string[]>;
  /** One document of a host. */
  document(host: string, collection: string, key: string): Promise<string | undefined>;
}

export interface FleetParts {
  put(host: string, batch: string, number: number, bytes: Uint8Array): Promise<void>;
  /** The parts before a number, in order, and forgets them; undefined when some are missing. */
  take(host: string, batch: string, before: number): Promise<Uint8Array | undefined>;
}

/**
 * What states of folders consist of, by ids that follow from the content. Each host has its own: an id alone must not lead to
 * what another host has.
 */
export interface FleetFiles {
  /** Which of these are not kept of a host. */
  lacking(host: string, ids: readonly string[]): Promise<readonly string[]>;
  /** False, and nothing is stored, if the host would then have more than so many bytes. */
  put(host: string, objects: readonly KeptObject[], maxHostBytes: number): Promise<boolean>;
  /** Those of them that are kept, in any order. */
  get(host: string, ids: readonly string[]): Promise<readonly KeptObject[]>;
  /** Removes what nothing leads to any more; returns how many. */
  removeUnused(): Promise<number>;
}

export interface TakenSession {
  readonly epoch: number;
  /** The last number of its old host that the fleet has. */
  readonly upTo: number;
}

export interface FleetMoves {
  /** The channels of a session that is not disposed. */
  channels(session: URI): Promise<readonly { readonly uri: URI; readonly kind: ChannelKind }[]>;
  /** Some documents of a session, in the order of their names; none after the last. */
  documents(
    session: URI,
    after?: { readonly collection: string; readonly key: string },
  ): Promise<readonly StoredDocument[]>;
  /** From whom a host took a session that is still its own. */
  takenBy(session: URI, host: string): Promise<(TakenSession & { readonly from: string }) | undefined>;
  /** Sessions that others took from a host, and that it has not given up yet. */
  takenFrom(host: string): Promise<readonly { readonly session: URI; readonly upTo: number }[]>;
  settled(host: string, session: URI): Promise<void>;
  /** For so many milliseconds nobody takes a session of the host. False, and nothing is changed, while it has lost some. */
  lease(host: string, milliseconds: number): Promise<boolean>;
  /** Milliseconds until others may take sessions of a host. */
  leasedFor(host: string): Promise<number>;
}

export interface SessionQuery {
  readonly limit: number;
  readonly hosts?: readonly string[];
  /** Those whose status has one of these bits. */
  readonly status?: number;
  /** A part of the title, in any case. */
  readonly title?: string;
  /** Those on hosts with all of these labels. */
  readonly labels?: readonly string[];
}

/** The last session of a page. */
export interface SessionCursor {
  readonly modifiedAt: number;
  readonly id: number;
}

export interface SessionPage {
  readonly sessions: readonly KeptSession[];
  /** Undefined on the last page. */
  readonly next: SessionCursor | undefined;
}

export interface KeptSession {
  readonly host: string;
  readonly epoch: number;
  /** JSON text. */
  readonly summary: string;
  /** A page may go on after it. */
  readonly cursor: SessionCursor;
}

/** Epoch milliseconds. */
interface RetentionLimits {
  /** Sessions that were disposed before are deleted. */
  readonly disposedBefore: number;
  /** Log entries that were stored before, and that a snapshot covers, are deleted. */
  readonly loggedBefore: number;
}
