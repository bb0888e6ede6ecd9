import type { ChannelKind, URI } from '@moorage/protocol';
import type { DocumentPut, LogPut } from '../../ports/store.js';

/** The data of a memory store. It outlives the store: a second store on the same disk simulates a restart of the host. */
export interface MemoryDisk {
  seqCeiling: number;
  /** Removed channels stay, without content, until their session is purged. */
  readonly channels: Map<URI, MemoryChannel>;
  readonly sessions: Map<URI, MemorySession>;
  readonly documents: Map<string, DocumentPut & { readonly json: string }>;
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
  readonly log: LogPut[];
}

export interface MemorySession {
  readonly summary: { readonly modifiedAt: number; readonly json: string } | undefined;
  readonly disposedAt: number | undefined;
}

export function createMemoryDisk(): MemoryDisk {
  return { seqCeiling: 0, channels: new Map(), sessions: new Map(), documents: new Map() };
}

export function documentId(collection: string, key: string): string {
  return `${collection} ${key}`;
}
