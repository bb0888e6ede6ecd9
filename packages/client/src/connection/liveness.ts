import { RpcError } from '@moorage/protocol';
import type { Clock } from '../clock.js';

/** When a silent connection is taken for dead. */
export interface LivenessOptions {
  /** Milliseconds between pings. */
  readonly intervalMs?: number | undefined;
  /** How many intervals in a row may pass without a sign of life before the connection counts as dead. */
  readonly misses?: number | undefined;
}

/** Shorter than the idle timeout of common proxies (30 to 60 s), so that pings also keep the connection open. */
export const PING_INTERVAL_MS = 20_000;

/** One silent interval may be a busy host; two are not. */
const MAX_MISSES = 2;

/** Finds connections that died without a word, as they do when a laptop sleeps or the network changes. */
export class Liveness {
  readonly #clock: Clock;
  readonly #intervalMs: number | undefined;
  readonly #maxMisses: number;
  #timer: unknown;
  #heard = true;
  #misses = 0;

  constructor(options: LivenessOptions | false, clock: Clock) {
    const { intervalMs = PING_INTERVAL_MS, misses = MAX_MISSES } = options || {};
    this.#clock = clock;
    this.#intervalMs = options === false ? undefined : intervalMs;
    this.#maxMisses = misses;
  }

  /** Any message proves life, not only the answer to a ping. */
  heard(): void {
    this.#heard = true;
  }

  start(ping: () => Promise<unknown>, onDead: () => void): void {
    this.stop();
    this.#heard = true;
    this.#misses = 0;
    const intervalMs = this.#intervalMs;
    if (intervalMs === undefined) return;
    const beat = () => {
      this.#misses = this.#heard ? 0 : this.#misses + 1;
      if (this.#misses >= this.#maxMisses) return onDead();
      this.#heard = false;
      ping().then(
        () => this.heard(),
        (error: unknown) => {
          if (error instanceof RpcError) this.heard(); // the host answered; any other error was made on this side
        },
      );
      this.#timer = this.#clock.setTimeout(beat, intervalMs);
    };
    this.#timer = this.#clock.setTimeout(beat, intervalMs);
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
  }
}
