import type { Timers } from '@moorage/protocol';

/** Timers that go off when the test says so. */
export class FakeTimers implements Timers {
  readonly #armed = new Map<number, { run: () => void; milliseconds: number }>();
  #last = 0;

  setTimeout = (run: () => void, milliseconds: number): unknown => {
    this.#last++;
    this.#armed.set(this.#last, { run, milliseconds });
    return this.#last;
  };

  clearTimeout = (handle: unknown): void => {
    if (typeof handle === 'number') this.#armed.delete(handle);
  };

  get armed(): number[] {
    return [...this.#armed.values()].map(({ milliseconds }) => milliseconds);
  }

  /** Lets every timer of this length go off. */
  fire(length: number): void {
    for (const [handle, { run, milliseconds }] of [...this.#armed]) {
      if (milliseconds !== length) continue;
      this.#armed.delete(handle);
      run();
    }
  }
}
