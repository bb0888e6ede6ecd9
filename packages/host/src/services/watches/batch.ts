import type { ResourceChange, URI } from '@ahpd/protocol';
import { MAX_BATCH } from './limits.js';

type ChangeType = ResourceChange['type'];

/** Changes that are told together, one for each URI: what it comes down to since the last batch. */
export class Batch {
  readonly #root: URI;
  #changes = new Map<URI, ChangeType>();
  #overflown = false;

  constructor(root: URI) {
    this.#root = root;
  }

  get isEmpty(): boolean {
    return this.#changes.size === 0 && !this.#overflown;
  }

  add(uri: URI, type: ChangeType): void {
    if (this.#overflown) return;
    const before = this.#changes.get(uri);
    const both = before === undefined ? type : TOGETHER[before][type];
    if (both === undefined) this.#changes.delete(uri);
    else this.#changes.set(uri, both);
    if (this.#changes.size > MAX_BATCH) this.overflow();
  }

  /** Nobody knows what changed, or it is too much to say: whoever cares has to look at everything below the root. */
  overflow(): void {
    this.#overflown = true;
    this.#changes = new Map();
  }

  /** What there is to tell, and from now on what comes after it. */
  take(): ResourceChange[] {
    const items = [...this.#changes].map(([uri, type]) => ({ uri, type }));
    const taken = this.#overflown ? [{ uri: this.#root, type: 'updated' as const }] : items;
    this.#changes = new Map();
    this.#overflown = false;
    return taken;
  }
}

/** What two changes come down to; what came and went was never there. */
const TOGETHER: Readonly<Record<ChangeType, Readonly<Record<ChangeType, ChangeType | undefined>>>> = {
  added: { added: 'added', updated: 'added', deleted: undefined },
  updated: { added: 'updated', updated: 'updated', deleted: 'deleted' },
  deleted: { added: 'updated', updated: 'updated', deleted: 'deleted' },
};
