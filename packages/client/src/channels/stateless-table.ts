import { RpcError } from '@moorage/protocol';
import { Listeners } from '../listeners.js';
import type { MirrorStatus } from './mirror.js';
import { type Notified, type StatelessChannel, StatelessHandle } from './stateless.js';

/** What stateless channels need from the client that they belong to. */
export interface StatelessContext {
  readonly isLive: boolean;
  subscribe(uri: string): Promise<unknown>;
  unsubscribe(uri: string): void;
  request(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): void;
  report(error: unknown): void;
}

/** Every channel without state that this client is subscribed to, by URI. */
export class StatelessTable {
  readonly #context: StatelessContext;
  readonly #entries = new Map<string, StatelessEntry>();

  constructor(context: StatelessContext) {
    this.#context = context;
  }

  async subscribe(uri: string): Promise<StatelessChannel> {
    const entry = this.#entries.get(uri) ?? this.expect(uri);
    entry.holders++;
    entry.ready ??= this.#ask(entry).catch((error: unknown) => {
      this.#remove(entry);
      throw error;
    });
    await entry.ready;
    return new StatelessHandle(entry, this.#context, () => this.#release(entry));
  }

  /** A channel that is asked for as soon as the connection is live. */
  expect(uri: string): StatelessEntry {
    const onThrow = (error: unknown) => this.#context.report(error);
    const entry: StatelessEntry = {
      uri,
      status: 'stale',
      holders: 0,
      ready: undefined,
      notified: new Listeners(onThrow),
      statusChanged: new Listeners(onThrow),
    };
    this.#entries.set(uri, entry);
    return entry;
  }

  receive(uri: string, method: string, params: Readonly<Record<string, unknown>>): void {
    this.#entries.get(uri)?.notified.emit(method, params);
  }

  suspend(): void {
    for (const entry of this.#entries.values()) setStatus(entry, 'stale');
  }

  /** A new connection knows nothing of these subscriptions (B-81). */
  goLive(): void {
    for (const entry of this.#entries.values()) {
      if (entry.status !== 'stale') continue;
      entry.ready ??= Promise.resolve();
      this.#ask(entry).catch((error: unknown) => {
        if (error instanceof RpcError) this.#remove(entry);
      });
    }
  }

  close(): void {
    for (const entry of this.#entries.values()) this.#remove(entry);
  }

  async #ask(entry: StatelessEntry): Promise<void> {
    await this.#context.subscribe(entry.uri);
    if (this.#context.isLive && this.#entries.get(entry.uri) === entry) setStatus(entry, 'live');
  }

  #release(entry: StatelessEntry): void {
    entry.holders--;
    if (entry.holders > 0 || this.#entries.get(entry.uri) !== entry) return;
    this.#remove(entry);
    this.#context.unsubscribe(entry.uri);
  }

  #remove(entry: StatelessEntry): void {
    if (this.#entries.get(entry.uri) === entry) this.#entries.delete(entry.uri);
    setStatus(entry, 'gone');
  }
}

export interface StatelessEntry {
  readonly uri: string;
  status: MirrorStatus;
  holders: number;
  /** Settles when the host has answered the first `subscribe`. */
  ready: Promise<void> | undefined;
  readonly notified: Listeners<Notified>;
  readonly statusChanged: Listeners<[MirrorStatus]>;
}

function setStatus(entry: StatelessEntry, status: MirrorStatus): void {
  if (entry.status === status) return;
  entry.status = status;
  entry.statusChanged.emit(status);
}
