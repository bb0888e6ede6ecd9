import { vi } from 'vitest';
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

/** Waits for what must come; the bound is for a machine that is busy with other things. */
export function soon(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 30_000, interval: 2 });
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
