import { type ChannelKind, RpcError } from '@ahpd/protocol';
import type { Clock } from '../clock.js';
import { RequestError } from '../errors.js';
import { type ChannelSnapshot, readSnapshot } from '../wire/read-snapshot.js';
import type { Channel } from './channel.js';

export interface RefresherOptions {
  readonly clock: Clock;
  /** The `snapshot` that the host answers to a `subscribe`, as it came. */
  subscribe(uri: string): Promise<unknown>;
  /** The host knows no such channel any more. */
  onGone(channel: Channel<ChannelKind>): void;
  report(error: unknown): void;
}

/** Between two attempts for one channel: a host that keeps sending nonsense must not be asked for all of it each time. */
export const REFRESH_INTERVAL_MS = 5_000;

/** Gets fresh snapshots for channels that are stale while the connection is live. */
export class Refresher {
  readonly #options: RefresherOptions;
  /** The attempts under way or planned; a newer one makes an older one void. */
  readonly #attempts = new Map<Channel<ChannelKind>, Attempt>();

  constructor(options: RefresherOptions) {
    this.#options = options;
  }

  /** Asks now, or, if that is under way already, once more: the snapshot may have been taken before the trouble. */
  refresh(channel: Channel<ChannelKind>): void {
    const running = this.#attempts.get(channel);
    if (running) running.again = true;
    else this.#ask(channel);
  }

  /** Forgets all attempts; what is stale stays so. */
  stop(): void {
    for (const { timer } of this.#attempts.values()) this.#options.clock.clearTimeout(timer);
    this.#attempts.clear();
  }

  #ask(channel: Channel<ChannelKind>): void {
    const attempt: Attempt = { again: false, timer: undefined };
    this.#attempts.set(channel, attempt);
    const isCurrent = () => this.#attempts.get(channel) === attempt && channel.phase === 'stale';
    this.#options.subscribe(channel.uri).then(
      (snapshot) => {
        if (isCurrent()) this.#take(channel, attempt, snapshot);
      },
      (error: unknown) => {
        if (isCurrent()) this.#fail(channel, attempt, error);
      },
    );
  }

  #take(channel: Channel<ChannelKind>, attempt: Attempt, value: unknown): void {
    if (attempt.again) return this.#askLater(channel, attempt);
    let snapshot: ChannelSnapshot<ChannelKind>;
    try {
      snapshot = readSnapshot(channel.kind, channel.uri, value);
    } catch (error) {
      return this.#fail(channel, attempt, error);
    }
    this.#attempts.delete(channel);
    channel.replace(snapshot);
  }

  #fail(channel: Channel<ChannelKind>, attempt: Attempt, error: unknown): void {
    if (error instanceof RpcError) {
      this.#attempts.delete(channel);
      return this.#options.onGone(channel);
    }
    // A lost connection stops us before this; its successor starts us again.
    if (error instanceof RequestError && error.kind === 'closed') return;
    this.#options.report(error);
    this.#askLater(channel, attempt);
  }

  #askLater(channel: Channel<ChannelKind>, attempt: Attempt): void {
    attempt.timer = this.#options.clock.setTimeout(() => {
      if (this.#attempts.get(channel) !== attempt) return;
      this.#attempts.delete(channel);
      if (channel.phase === 'stale') this.#ask(channel);
    }, REFRESH_INTERVAL_MS);
  }
}

interface Attempt {
  /** Another one is needed whatever this one brings. */
  again: boolean;
  timer: unknown;
}
