import type { Clock } from '../../../ports/clock.js';
import { KEPT_BYTES_MS, MAX_LOOSE_OBJECTS, MAX_PACKS } from '../limits.js';
import type { Shadow } from '../repository/shadow.js';
import { joinPacks } from './join-packs.js';
import { packLoose } from './pack-loose.js';
import { measureStore, packsIn, type Stored } from './stored-bytes.js';

/** How many files a store may have before it is packed. */
export interface UpkeepLimits {
  readonly looseObjects: number;
  readonly packs: number;
}

export const USUAL_UPKEEP: UpkeepLimits = { looseObjects: MAX_LOOSE_OBJECTS, packs: MAX_PACKS };

/** Measures a store, and packs it before it becomes a heap of small files. */
export class Upkeep {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #limits: UpkeepLimits;
  readonly #exclusively: (work: (shadow: Shadow) => Promise<void>) => Promise<void>;
  #measured: { readonly at: number; readonly stored: Promise<Stored> } | undefined;
  #isPacking = false;

  constructor(
    directory: string,
    clock: Clock,
    limits: UpkeepLimits,
    exclusively: (work: (shadow: Shadow) => Promise<void>) => Promise<void>,
  ) {
    this.#directory = directory;
    this.#clock = clock;
    this.#limits = limits;
    this.#exclusively = exclusively;
  }

  /** The size of the store. Measured only now and then, because that stats each file in it. */
  async bytes(): Promise<number> {
    const now = this.#clock.now();
    if (!this.#measured || Math.abs(now - this.#measured.at) > KEPT_BYTES_MS)
      this.#measured = { at: now, stored: measureStore(this.#directory) };
    const { bytes, loose, packs } = await this.#measured.stored;
    this.packIfMany(loose, packs); // an earlier run of the host may have left them
    return bytes;
  }

  /** Call this when much was added or removed. */
  forgetMeasurement(): void {
    this.#measured = undefined;
  }

  /** Packs in the background. If that fails, it is tried again when as many objects have been added again. */
  packIfMany(loose: number, packs = 0): void {
    const isMany = loose > this.#limits.looseObjects || packs > this.#limits.packs;
    if (!isMany || this.#isPacking) return;
    this.#isPacking = true;
    this.#exclusively((shadow) => this.#pack(shadow))
      .then(
        () => this.forgetMeasurement(),
        () => undefined,
      )
      .finally(() => {
        this.#isPacking = false;
      });
  }

  async #pack(shadow: Shadow): Promise<void> {
    await packLoose(shadow);
    if ((await packsIn(this.#directory)).length > this.#limits.packs) await joinPacks(shadow);
  }
}
