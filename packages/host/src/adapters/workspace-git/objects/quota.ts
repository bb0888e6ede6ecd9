import { measureStore } from '../keeping/stored-bytes.js';
import { MAX_KEPT_TOTAL_BYTES, WORTH_MEASURING_BYTES } from '../limits.js';

export interface QuotaLimits {
  readonly maxBytes: number;
  readonly worthMeasuring: number;
}

/** Knows how much more may be kept for a folder. Counts what every look finds, and measures the store now and then. */
export class Quota {
  readonly #directory: string;
  readonly #limits: QuotaLimits;
  /** Bytes that certainly still fit; contents take less on disk than their size. */
  #left: number;
  #sinceMeasured = Number.POSITIVE_INFINITY;
  /** Bytes that the current look has found; they may not be stored yet. */
  #inScan = 0;

  constructor(
    directory: string,
    limits: QuotaLimits = { maxBytes: MAX_KEPT_TOTAL_BYTES, worthMeasuring: WORTH_MEASURING_BYTES },
  ) {
    this.#directory = directory;
    this.#limits = limits;
    this.#left = limits.worthMeasuring;
  }

  beginScan(): void {
    this.#inScan = 0;
  }

  /** Reserves room for a content; false if there is none. */
  async reserve(bytes: number): Promise<boolean> {
    if (bytes > this.#left && this.#sinceMeasured > this.#limits.worthMeasuring) await this.#measure();
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    this.#sinceMeasured += bytes;
    this.#inScan += bytes;
    return true;
  }

  async #measure(): Promise<void> {
    const stored = await measureStore(this.#directory);
    this.#left = this.#limits.maxBytes - stored.bytes - this.#inScan;
    this.#sinceMeasured = 0;
  }
}
