import type { Log } from '../../../src/ports/index.js';

/** Timers that move only when the test says so. */
export class FakeTimers {
  readonly #due = new Map<number, { at: number; run: () => void }>();
  #now = 0;
  #last = 0;

  readonly setTimeout = (run: () => void, milliseconds: number): unknown => {
    this.#last++;
    this.#due.set(this.#last, { at: this.#now + milliseconds, run });
    return this.#last;
  };
  readonly clearTimeout = (handle: unknown): void => {
    if (typeof handle === 'number') this.#due.delete(handle);
  };
  get armed(): number {
    return this.#due.size;
  }
  advance(milliseconds: number): void {
    this.#now += milliseconds;
    for (const [handle, timer] of [...this.#due]) {
      if (timer.at > this.#now) continue;
      this.#due.delete(handle);
      timer.run();
    }
  }
}

export const realTimers = {
  setTimeout: (run: () => void, milliseconds: number): unknown => setTimeout(run, milliseconds),
  clearTimeout: (handle: unknown): void => clearTimeout(handle as NodeJS.Timeout | undefined),
};

/** Keeps everything it is told, as one text. */
export class RecordingLog implements Log {
  readonly lines: string[] = [];
  write(level: string, message: string, fields?: Readonly<Record<string, unknown>>): void {
    this.lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`);
  }
  get text(): string {
    return this.lines.join('\n');
  }
}
