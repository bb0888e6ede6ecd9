import { measureStore } from '../keeping/stored-bytes.js';
import { MAX_KEPT_TOTAL_BYTES, WORTH_MEASURING_BYTES } from '../limits.js';

export interface QuotaLimits {
  readonly maxBytes: number;
  readonly worthMeasuring: number;
}

/** Knows how much more may be kept for a folder. Counts what every checkpoint finds, and measures the store now and then. */
export class Quota {
  readonly #directory: string;
  readonly #limits: QuotaLimits;
  /** Bytes that certainly still fit; contents take less on disk than their size. */
  #left: number;
  #sinceMeasured = Number.POSITIVE_INFINITY;
  /** Bytes that the current checkpoint has found; they may not be stored yet. */
  #reserved = 0;

  constructor(
    directory: string,
    limits: QuotaLimits = { maxBytes: MAX_KEPT_TOTAL_BYTES, worthMeasuring: WORTH_MEASURING_BYTES },
  ) {
    this.#directory = directory;
    this.#limits = limits;
    this.#left = limits.worthMeasuring;
  }

  begin(): void {
    this.#reserved = 0;
  }

  /** Reserves room for a content; false if there is none. */
  async reserve(bytes: number): Promise<boolean> {
    if (bytes > this.#left && this.#sinceMeasured > this.#limits.worthMeasuring) await this.#measure();
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    this.#sinceMeasured += bytes;
    this.#reserved += bytes;
    return true;
  }

  async #measure(): Promise<void> {
    const stored = await measureStore(this.#directory);
    this.#left = this.#limits.maxBytes - stored.bytes - this.#reserved;
    this.#sinceMeasured = 0;
  }
}
