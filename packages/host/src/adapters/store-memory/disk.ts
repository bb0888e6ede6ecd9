import type { ChannelKind, URI } from '@ahpd/protocol';
import type { DocumentPut, LogPut } from '../../ports/store.js';

/** What outlives a store in memory: a second store on the same disk is a host that was started again. */
export interface MemoryDisk {
  seqCeiling: number;
  /** Removed channels stay as such until their session is purged. */
  readonly channels: Map<URI, MemoryChannel>;
  readonly sessions: Map<URI, MemorySession>;
  readonly documents: Map<string, DocumentPut & { readonly json: string }>;
}

/** Never changed in place but for its log, so that a failed batch can put the old one back. */
export interface MemoryChannel {
  readonly kind: ChannelKind;
  readonly session: URI;
  readonly unsettled: boolean;
  /** Undefined once it is removed. */
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

/** What a store in memory keeps: hand the same one to the next store, and it is a restart. */
export function createMemoryDisk(): MemoryDisk {
  return { seqCeiling: 0, channels: new Map(), sessions: new Map(), documents: new Map() };
}

export function documentId(collection: string, key: string): string {
  return `${collection} ${key}`;
}
