import type { MirrorStatus } from './mirror.js';
import type { StatelessContext, StatelessEntry } from './stateless-table.js';

/** The arguments of a listener: a notification as it came. */
export type Notified = [method: string, params: Readonly<Record<string, unknown>>];

/** A subscription to a channel without state, such as telemetry or the side channel of an MCP server. */
export interface StatelessChannel {
  /** The URI of the channel. */
  readonly uri: string;
  /** Whether what happens on it is heard now. */
  readonly status: MirrorStatus;
  /** Called for every notification on this channel, as it came; nothing is replayed after a reconnect (B-81). */
  onNotification(listener: (...notified: Notified) => void): () => void;
  /** Called whenever the status changes. Returns what stops that. */
  onStatus(listener: (status: MirrorStatus) => void): () => void;
  /** A request on this channel. Method, params and result are those of the protocol that the channel carries. */
  request(method: string, params?: object): Promise<unknown>;
  /** Sends a notification on the channel; nothing says whether it arrived. */
  notify(method: string, params?: object): void;
  /** Gives the subscription back. With the last one of its URI it ends. */
  release(): void;
}

/** One holder's view of a stateless channel. */
export class StatelessHandle implements StatelessChannel {
  readonly #entry: StatelessEntry;
  readonly #context: StatelessContext;
  readonly #onRelease: () => void;
  readonly #stopListening = new Set<() => void>();
  #released = false;

  constructor(entry: StatelessEntry, context: StatelessContext, onRelease: () => void) {
    this.#entry = entry;
    this.#context = context;
    this.#onRelease = onRelease;
  }

  get uri(): string {
    return this.#entry.uri;
  }

  get status(): MirrorStatus {
    return this.#released ? 'gone' : this.#entry.status;
  }

  onNotification(listener: (...notified: Notified) => void): () => void {
    return this.#keep(this.#entry.notified.add(listener));
  }

  onStatus(listener: (status: MirrorStatus) => void): () => void {
    return this.#keep(this.#entry.statusChanged.add(listener));
  }

  request(method: string, params: object = {}): Promise<unknown> {
    return this.#context.request(method, { ...params, channel: this.uri });
  }

  notify(method: string, params: object = {}): void {
    this.#context.notify(method, { ...params, channel: this.uri });
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    for (const stop of this.#stopListening) stop();
    this.#onRelease();
  }

  #keep(stop: () => void): () => void {
    this.#stopListening.add(stop);
    return () => {
      this.#stopListening.delete(stop);
      stop();
    };
  }
}
