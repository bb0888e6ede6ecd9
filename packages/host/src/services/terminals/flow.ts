import type { Subscriber } from '../../core/delivery.js';
import type { Clock } from '../../ports/clock.js';
import type { Pty } from '../../ports/pty.js';
import { CATCH_UP_CHECK_MS, MAX_CATCH_UP_MS } from './limits.js';

/**
 * Pauses a program while a subscriber cannot keep up with its output, so that no queue grows without bound. A
 * subscriber stuck for long no longer pauses it: the bound of its own queue closes the connection, and it resumes
 * later.
 */
export class Flow {
  readonly #clock: Clock;
  readonly #pty: Pty;
  readonly #subscribers: () => Iterable<Subscriber>;
  readonly #stuck = new WeakSet<Subscriber>();
  #waitedMs = 0;
  #timer: unknown;
  #isHeld = false;

  constructor(clock: Clock, pty: Pty, subscribers: () => Iterable<Subscriber>) {
    this.#clock = clock;
    this.#pty = pty;
    this.#subscribers = subscribers;
  }

  /** Call after sending output. */
  check(): void {
    if (this.#timer !== undefined || this.#late().length === 0) return;
    this.#pty.pause();
    this.#waitedMs = 0;
    this.#wait();
  }

  /** Pauses the program until `release`, because its output cannot be stored. */
  hold(): void {
    this.#isHeld = true;
    this.#pty.pause();
  }

  release(): void {
    this.#isHeld = false;
    if (this.#timer === undefined) this.#pty.resume();
  }

  /** Stops checking; the rest of the output is read without pausing. */
  stop(): void {
    this.#isHeld = false;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.#waitedMs += CATCH_UP_CHECK_MS;
      const late = this.#late();
      if (late.length > 0 && this.#waitedMs < MAX_CATCH_UP_MS) {
        this.#wait();
        return;
      }
      for (const subscriber of late) this.#stuck.add(subscriber);
      if (!this.#isHeld) this.#pty.resume();
    }, CATCH_UP_CHECK_MS);
  }

  #late(): Subscriber[] {
    const late: Subscriber[] = [];
    for (const subscriber of this.#subscribers()) {
      if (!subscriber.isBehind) this.#stuck.delete(subscriber);
      else if (!this.#stuck.has(subscriber)) late.push(subscriber);
    }
    return late;
  }
}
