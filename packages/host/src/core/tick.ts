import type { URI } from '@ahpd/protocol';
import type { ChannelPut, DocumentCollection, DocumentPut, LogPut, StoreBatch, SummaryPut } from '../ports/store.js';
import type { Committed } from './committed.js';
import type { TickMessage } from './delivery.js';
import type { Ring } from './ring.js';

/** Everything that is decided between two flushes: stored in one transaction, then sent, then acted upon. */
export class Tick {
  readonly messages: TickMessage[] = [];
  readonly committed: Committed[] = [];
  /** Channels that end with this tick: their subscribers are dropped after they got its messages. */
  readonly ended = new Set<URI>();
  /** How to take back what this tick did in memory, newest last. */
  readonly undo: (() => void)[] = [];
  readonly afterwards: (() => void)[] = [];
  /** For channels that are not stored: remembered only once the tick is. */
  readonly rings: { ring: Ring; seq: number; json: string }[] = [];
  readonly #log = new Map<URI, { firstSeq: number; lastSeq: number; envelopes: string[] }>();
  readonly #channels = new Map<URI, ChannelPut>();
  readonly #summaries = new Map<URI, SummaryPut>();
  readonly #disposals = new Map<URI, number | undefined>();
  readonly #documents = new Map<string, DocumentPut>();
  readonly #now: () => number;
  #time: number | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** One clock reading per tick: all that is decided together happened at the same time. */
  get time(): number {
    this.#time ??= this.#now();
    return this.#time;
  }

  append(channel: URI, seq: number, envelope: string): void {
    const entry = this.#log.get(channel);
    if (entry) {
      entry.lastSeq = seq;
      entry.envelopes.push(envelope);
    } else {
      this.#log.set(channel, { firstSeq: seq, lastSeq: seq, envelopes: [envelope] });
    }
  }

  putChannel(put: ChannelPut): void {
    this.#channels.set(put.uri, { ...this.#channels.get(put.uri), ...put });
  }

  putSummary(put: SummaryPut): void {
    this.#summaries.set(put.session, put);
  }

  putDocument(put: DocumentPut): void {
    this.#documents.set(documentId(put.collection, put.key), put);
  }

  /** What was put last; undefined when this tick does not touch the document. */
  documentPut(collection: DocumentCollection, key: string): DocumentPut | undefined {
    return this.#documents.get(documentId(collection, key));
  }

  dispose(session: URI, disposedAt: number | undefined): void {
    this.#disposals.set(session, disposedAt);
  }

  get isEmpty(): boolean {
    return !this.hasStored && this.messages.length === 0 && this.committed.length === 0 && this.afterwards.length === 0;
  }

  get hasStored(): boolean {
    return (
      this.#log.size + this.#channels.size + this.#summaries.size + this.#documents.size + this.#disposals.size > 0
    );
  }

  toStoreBatch(seqCeiling: number | undefined): StoreBatch {
    const log: LogPut[] = [...this.#log].map(([channel, { firstSeq, lastSeq, envelopes }]) => ({
      channel,
      firstSeq,
      lastSeq,
      envelopes: envelopes.join(','),
    }));
    return {
      ...(seqCeiling !== undefined && { seqCeiling }),
      channels: [...this.#channels.values()],
      log,
      summaries: [...this.#summaries.values()],
      disposals: [...this.#disposals].map(([session, disposedAt]) => ({ session, disposedAt })),
      documents: [...this.#documents.values()],
    };
  }
}

function documentId(collection: DocumentCollection, key: string): string {
  return `${collection} ${key}`;
}
