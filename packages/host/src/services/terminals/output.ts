import type { Clock } from '../../ports/clock.js';
import { COALESCE_CHARS, COALESCE_MS } from './limits.js';

/**
 * Coalesces output: the first piece is sent at once, so that typing feels immediate, and what follows closely goes out
 * together.
 */
export class Output {
  readonly #clock: Clock;
  readonly #send: (data: string) => void;
  #pending = '';
  #isPending = false;
  #timer: unknown;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, send: (data: string) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** An empty text also triggers a send, for titles and folders that were reported. */
  append(text: string): void {
    this.#pending += text;
    this.#isPending = true;
    if (this.#pending.length >= COALESCE_CHARS) this.flush();
    else if (this.#timer === undefined) this.#plan();
  }

  /** Sends what was gathered, so that what comes next stays in order. */
  flush(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isPending) return;
    const data = this.#pending;
    this.#pending = '';
    this.#isPending = false;
    this.#sentAt = this.#clock.now();
    this.#send(data);
  }

  #plan(): void {
    const wait = Math.min(COALESCE_MS, this.#sentAt + COALESCE_MS - this.#clock.now());
    if (wait <= 0) this.flush();
    else this.#timer = this.#clock.setTimeout(() => this.flush(), wait);
  }
}
