import type { Clock } from '../../ports/clock.js';
import type { Catalogue } from './catalogue.js';
import { LINGER_MS } from './limits.js';

interface Pooled {
  readonly catalogue: Promise<Catalogue>;
  users: number;
  timer?: unknown;
}

export interface Lease {
  readonly catalogue: Promise<Catalogue>;
  release(): void;
}

/** Shares catalogues by key; one that is no longer used is kept for LINGER_MS. */
export class CataloguePool {
  readonly #clock: Clock;
  readonly #pooled = new Map<string, Pooled>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  lease(key: string, make: () => Promise<Catalogue>): Lease {
    const known = this.#pooled.get(key);
    const pooled: Pooled = known ?? { catalogue: make(), users: 0 };
    if (!known) this.#pooled.set(key, pooled);
    this.#clock.clearTimeout(pooled.timer);
    pooled.users++;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      pooled.users--;
      if (pooled.users > 0) return;
      pooled.timer = this.#clock.setTimeout(() => this.#drop(key, pooled), LINGER_MS);
    };
    return { catalogue: pooled.catalogue, release };
  }

  /** A path was written through the host: catalogues that contain it read it again. */
  touch(path: string): void {
    for (const { catalogue } of this.#pooled.values()) catalogue.then((open) => open.touch(path)).catch(() => {});
  }

  close(): void {
    for (const [key, pooled] of this.#pooled) this.#drop(key, pooled);
  }

  #drop(key: string, pooled: Pooled): void {
    this.#clock.clearTimeout(pooled.timer);
    this.#pooled.delete(key);
    pooled.catalogue.then((catalogue) => catalogue.close()).catch(() => {}); // the leaseholders have seen the error
  }
}
