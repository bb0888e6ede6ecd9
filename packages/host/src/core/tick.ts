import type { URI } from '@moorage/protocol';
import type { ChannelPut, DocumentCollection, DocumentPut, LogPut, StoreBatch, SummaryPut } from '../ports/store.js';
import type { Committed } from './committed.js';
import type { TickMessage } from './delivery.js';
import type { Ring } from './ring.js';

/** Everything decided between two flushes: stored in one transaction, then sent, then given to the effects. */
export class Tick {
  readonly messages: TickMessage[] = [];
  readonly committed: Committed[] = [];
  /** Channels that end with this tick. Their subscribers still get its messages, and are then dropped. */
  readonly ended = new Set<URI>();
  /** Undoes what this tick changed in memory, when run from last to first. */
  readonly undo: (() => void)[] = [];
  /** Run after the effects. */
  readonly afterwards: (() => void)[] = [];
  /** Envelopes of channels that are not stored; they enter their ring only once the tick is stored. */
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

  /** Milliseconds since the epoch. Read once per tick, so that everything in a tick has the same time. */
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

  /** The last put of a document in this tick; undefined when the tick does not touch it. */
  documentPut(collection: DocumentCollection, key: string): DocumentPut | undefined {
    return this.#documents.get(documentId(collection, key));
  }

  /** Marks a session as disposed at a time, or as restored when the time is undefined. */
  dispose(session: URI, disposedAt: number | undefined): void {
    this.#disposals.set(session, disposedAt);
  }

  get isEmpty(): boolean {
    return !this.hasStored && this.messages.length === 0 && this.committed.length === 0 && this.afterwards.length === 0;
  }

  /** Whether the tick holds anything for the store. */
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
