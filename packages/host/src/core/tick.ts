import type { URI } from '@moorage/protocol';
import type { ChannelPut, DocumentCollection, DocumentPut, LogPut, StoreBatch, SummaryPut } from '../ports/store.js';
import type { Channel, Ring } from './channel.js';
import type { Committed } from './committed.js';
import type { TickMessage } from './delivery.js';
import type { IfLost } from './if-lost.js';

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
  /** Called with the error if the tick cannot be stored. */
  readonly onFailed: ((error: unknown) => void)[] = [];
  /** What the host does about its own decisions if the tick cannot be stored. */
  readonly ifLost = new Map<Channel, Set<IfLost>>();
  /** Envelopes of channels that are not stored; they enter their ring only once the tick is stored. */
  readonly rings: { ring: Ring; seq: number; json: string }[] = [];
  readonly #log = new Map<URI, { firstSeq: number; lastSeq: number; envelopes: string[] }>();
  readonly #channels = new Map<URI, ChannelPut>();
  readonly #summaries = new Map<URI, SummaryPut>();
  readonly #disposals = new Map<URI, number | undefined>();
  readonly #documents = new Map<string, DocumentPut>();
  /** Ids of documents that must not be lost with the tick. */
  readonly #kept = new Set<string>();
  #lastIfLost: { readonly channel: Channel; readonly ifLost: IfLost } | undefined;
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

  /** The same for each piece of text of an agent, so that case is only a comparison. */
  addIfLost(channel: Channel, ifLost: IfLost): void {
    if (this.#lastIfLost?.channel === channel && this.#lastIfLost.ifLost === ifLost) return;
    this.#lastIfLost = { channel, ifLost };
    const known = this.ifLost.get(channel);
    if (known) known.add(ifLost);
    else this.ifLost.set(channel, new Set([ifLost]));
  }

  /** `isKept`: the document is kept by the door if the tick cannot be stored. */
  putDocument(put: DocumentPut, isKept: boolean): void {
    const id = documentId(put.collection, put.key);
    this.#documents.set(id, put);
    if (isKept) this.#kept.add(id);
  }

  get keptDocuments(): DocumentPut[] {
    return [...this.#kept].flatMap((id) => this.#documents.get(id) ?? []);
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

export function documentId(collection: DocumentCollection, key: string): string {
  return `${collection} ${key}`;
}

/** Holds the tick that collects changes until a flush takes it. */
export class OpenTick {
  readonly #now: () => number;
  readonly #schedule: () => void;
  #tick: Tick;

  /** `schedule` is called on every use, and must lead to a flush soon. */
  constructor(now: () => number, schedule: () => void) {
    this.#now = now;
    this.#schedule = schedule;
    this.#tick = new Tick(now);
  }

  /** For reading, or for additions that come with a `use` anyway: does not schedule a flush. */
  get current(): Tick {
    return this.#tick;
  }

  /** For adding to the tick: schedules its flush. */
  use(): Tick {
    this.#schedule();
    return this.#tick;
  }

  /** Hands the tick over to a flush and opens a new one. */
  take(): Tick {
    const tick = this.#tick;
    this.#tick = new Tick(this.#now);
    return tick;
  }
}
