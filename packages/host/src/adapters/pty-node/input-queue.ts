import { writeSync } from 'node:fs';
import { INPUT_RETRY_MS, MAX_WAITING_INPUT_BYTES } from './limits.js';

/**
 * Input for a program that may not read it. The library's own way would stop the whole process until it does: Node
 * writes to terminals as if they never were full. This one writes what the terminal takes and tries the rest again.
 */
export class InputQueue {
  readonly #fd: number;
  readonly #isOpen: () => boolean;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Once the file is closed, its number may be another one's. */
  constructor(fd: number, isOpen: () => boolean) {
    this.#fd = fd;
    this.#isOpen = isOpen;
  }

  /** What does not fit into the queue any more is dropped, as a full terminal line does. */
  push(data: string): void {
    const bytes = Buffer.from(data);
    if (!this.#isOpen() || this.#bytes + bytes.length > MAX_WAITING_INPUT_BYTES) return;
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#timer === undefined) this.#drain();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#bytes = 0;
  }

  #drain(): void {
    this.#timer = undefined;
    if (!this.#isOpen()) return;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const written = tryToWrite(this.#fd, next);
      this.#bytes -= written;
      if (written < next.length) {
        this.#waiting[0] = next.subarray(written);
        this.#timer = setTimeout(() => this.#drain(), INPUT_RETRY_MS);
        return;
      }
      this.#waiting.shift();
    }
  }
}

/** The terminal does not block; when it is full, or has ended, it takes nothing. */
function tryToWrite(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes);
  } catch {
    return 0;
  }
}
