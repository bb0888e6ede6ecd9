import { writeSync } from 'node:fs';
import { INPUT_RETRY_MS, MAX_WAITING_INPUT_BYTES } from './limits.js';

/**
 * Queues input for a program that may not be reading. The library's own write would block the whole process, because Node
 * writes to terminals as if they were never full. The queue writes what the terminal accepts and retries the rest later.
 */
export class InputQueue {
  readonly #fd: number;
  readonly #isOpen: () => boolean;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `isOpen` tells whether the descriptor is still open; afterwards its number may be reused for another file. */
  constructor(fd: number, isOpen: () => boolean) {
    this.#fd = fd;
    this.#isOpen = isOpen;
  }

  /** Input that does not fit into the queue is dropped, as a full terminal line buffer does. */
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

/** Returns the number of bytes written: none if the terminal is full or closed. */
function tryToWrite(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes);
  } catch {
    return 0;
  }
}
