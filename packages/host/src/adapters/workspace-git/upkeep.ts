import type { Clock } from '../../ports/clock.js';
import { joinPacks } from './join-packs.js';
import { KEPT_BYTES_MS, MAX_LOOSE_OBJECTS, MAX_PACKS } from './limits.js';
import { packLoose } from './pack-loose.js';
import type { Shadow } from './shadow.js';
import { measureStore, packsIn, type Stored } from './stored-bytes.js';

/** Up to how many files a store is left as it is. */
export interface UpkeepLimits {
  readonly looseObjects: number;
  readonly packs: number;
}

export const USUAL_UPKEEP: UpkeepLimits = { looseObjects: MAX_LOOSE_OBJECTS, packs: MAX_PACKS };

/** Knows how much a store holds, and sees to it that it does not become a heap of small files. */
export class Upkeep {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #limits: UpkeepLimits;
  readonly #whenAlone: (work: (shadow: Shadow) => Promise<void>) => Promise<void>;
  #measured: { readonly at: number; readonly stored: Promise<Stored> } | undefined;
  #isPacking = false;

  constructor(
    directory: string,
    clock: Clock,
    limits: UpkeepLimits,
    whenAlone: (work: (shadow: Shadow) => Promise<void>) => Promise<void>,
  ) {
    this.#directory = directory;
    this.#clock = clock;
    this.#limits = limits;
    this.#whenAlone = whenAlone;
  }

  /** Counted anew now and then: it takes a look at each file that is kept. */
  async bytes(): Promise<number> {
    const now = this.#clock.now();
    if (!this.#measured || Math.abs(now - this.#measured.at) > KEPT_BYTES_MS)
      this.#measured = { at: now, stored: measureStore(this.#directory) };
    const { bytes, loose, packs } = await this.#measured.stored;
    this.packIfMany(loose, packs); // an earlier life may have left them
    return bytes;
  }

  /** Much was added or removed. */
  measureAnew(): void {
    this.#measured = undefined;
  }

  /** Nobody waits for it. What fails is tried again when there are many more. */
  packIfMany(loose: number, packs = 0): void {
    const isMany = loose > this.#limits.looseObjects || packs > this.#limits.packs;
    if (!isMany || this.#isPacking) return;
    this.#isPacking = true;
    this.#whenAlone((shadow) => this.#pack(shadow))
      .then(
        () => this.measureAnew(),
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
