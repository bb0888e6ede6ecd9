import type { ChannelKind, URI } from '@moorage/protocol';
import type { DocumentPut, LogPut } from '../../ports/store.js';

/** The data of a memory store. It outlives the store: a second store on the same disk simulates a restart of the host. */
export interface MemoryDisk {
  seqCeiling: number;
  /** Removed channels stay, without content, until their session is purged. */
  readonly channels: Map<URI, MemoryChannel>;
  readonly sessions: Map<URI, MemorySession>;
  readonly documents: Map<string, DocumentPut & { readonly json: string }>;
  /** The number of the newest tick that any feed had. */
  lastTick: number;
  feed: MemoryFeed | undefined;
}

export interface MemoryFeed {
  readonly id: string;
  readonly start: number;
  readonly acknowledged: number;
  /** What changed besides the log: its newest tick, by kind and key. */
  readonly changes: Map<string, MemoryChange>;
}

export interface MemoryChange {
  readonly kind: 'channel' | 'session' | 'document';
  readonly key: string;
  readonly tick: number;
  readonly isWhole: boolean;
}

/** An entry of the log, with its tick where there was a feed. */
interface MemoryLogEntry extends LogPut {
  readonly tick?: number | undefined;
}

/** Immutable except for its log, so that a failed batch can be undone by putting the old object back. */
export interface MemoryChannel {
  readonly kind: ChannelKind;
  readonly session: URI;
  readonly unsettled: boolean;
  /** Undefined once the channel is removed. */
  readonly content: MemoryContent | undefined;
}

export interface MemoryContent {
  readonly snapshot: { readonly seq: number; readonly json: string };
  readonly replayableAfter: number;
  readonly log: MemoryLogEntry[];
}

export interface MemorySession {
  readonly summary: { readonly modifiedAt: number; readonly json: string } | undefined;
  readonly disposedAt: number | undefined;
}

export function createMemoryDisk(): MemoryDisk {
  return {
    seqCeiling: 0,
    channels: new Map(),
    sessions: new Map(),
    documents: new Map(),
    lastTick: 0,
    feed: undefined,
  };
}

export function documentId(collection: string, key: string): string {
  return `${collection} ${key}`;
}
