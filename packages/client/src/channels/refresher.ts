import { type ChannelKind, JsonRpcErrorCodes, RpcError } from '@moorage/protocol';
import type { Clock } from '../clock.js';
import { ProtocolError } from '../errors.js';
import { readSnapshot } from '../wire/read-snapshot.js';
import type { Channel } from './channel.js';

export interface RefresherOptions {
  readonly clock: Clock;
  /** The `snapshot` that the host answers to a `subscribe`, as it came. */
  subscribe(channel: Channel<ChannelKind>): Promise<unknown>;
  /** The host knows no such channel any more. */
  onGone(channel: Channel<ChannelKind>): void;
  report(error: ProtocolError): void;
}

/** Between two attempts for one channel: a host that keeps sending nonsense must not be asked for a snapshot each time. */
export const REFRESH_INTERVAL_MS = 5_000;

/** Fetches new snapshots of channels that went stale while the connection is live. */
export class Refresher {
  readonly #options: RefresherOptions;
  /** The attempts under way or planned. */
  readonly #attempts = new Map<Channel<ChannelKind>, Attempt>();

  constructor(options: RefresherOptions) {
    this.#options = options;
  }

  /** Asks, unless that is under way or planned already. */
  refresh(channel: Channel<ChannelKind>): void {
    if (!this.#attempts.has(channel)) this.#ask(channel);
  }

  /** Forgets all attempts; what is stale stays so. */
  stop(): void {
    for (const { timer } of this.#attempts.values()) this.#options.clock.clearTimeout(timer);
    this.#attempts.clear();
  }

  #ask(channel: Channel<ChannelKind>): void {
    const attempt: Attempt = { timer: undefined };
    this.#attempts.set(channel, attempt);
    channel.expectSnapshot();
    const isCurrent = () => this.#attempts.get(channel) === attempt && channel.phase === 'stale';
    this.#options.subscribe(channel).then(
      (snapshot) => {
        if (isCurrent()) this.#take(channel, attempt, snapshot);
      },
      (error: unknown) => {
        if (isCurrent()) this.#fail(channel, attempt, error);
      },
    );
  }

  #take(channel: Channel<ChannelKind>, attempt: Attempt, value: unknown): void {
    try {
      channel.replace(readSnapshot(channel.kind, channel.uri, value));
      if (channel.phase === 'stale') this.#askLater(channel, attempt);
      else this.#attempts.delete(channel);
    } catch (error) {
      this.#fail(channel, attempt, error);
    }
  }

  #fail(channel: Channel<ChannelKind>, attempt: Attempt, error: unknown): void {
    // An internal error says nothing about the channel; any other answer means that it is gone.
    if (error instanceof RpcError && error.code !== JsonRpcErrorCodes.InternalError) {
      this.#attempts.delete(channel);
      this.#options.onGone(channel);
    } else {
      const text = error instanceof Error ? error.message : String(error);
      this.#options.report(
        new ProtocolError(`${channel.uri} could not be fetched anew, will try again: ${text}`, error),
      );
      this.#askLater(channel, attempt);
    }
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
  timer: unknown;
}
