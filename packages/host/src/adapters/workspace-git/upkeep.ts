import type { Clock } from '../../ports/clock.js';
import { KEPT_BYTES_MS, MAX_LOOSE_OBJECTS } from './limits.js';
import { measureStore, type Stored } from './stored-bytes.js';

/** Knows how much a store holds, and sees to it that it does not become a heap of small files. */
export class Upkeep {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #packLoose: () => Promise<void>;
  #measured: { readonly at: number; readonly stored: Promise<Stored> } | undefined;
  #isPacking = false;

  constructor(directory: string, clock: Clock, packLoose: () => Promise<void>) {
    this.#directory = directory;
    this.#clock = clock;
    this.#packLoose = packLoose;
  }

  /** Counted anew now and then: it takes a look at each file that is kept. */
  async bytes(): Promise<number> {
    const now = this.#clock.now();
    if (!this.#measured || Math.abs(now - this.#measured.at) > KEPT_BYTES_MS)
      this.#measured = { at: now, stored: measureStore(this.#directory) };
    const { bytes, loose } = await this.#measured.stored;
    this.packIfMany(loose); // an earlier life may have left them
    return bytes;
  }

  /** Much was added or removed. */
  measureAnew(): void {
    this.#measured = undefined;
  }

  /** Nobody waits for it. What fails is tried again when there are many more. */
  packIfMany(loose: number): void {
    if (loose <= MAX_LOOSE_OBJECTS || this.#isPacking) return;
    this.#isPacking = true;
    this.#packLoose()
      .then(
        () => this.measureAnew(),
        () => undefined,
      )
      .finally(() => {
        this.#isPacking = false;
      });
  }
}
