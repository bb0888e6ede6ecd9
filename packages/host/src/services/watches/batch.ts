import type { ResourceChange, URI } from '@moorage/protocol';
import { MAX_BATCH } from './limits.js';

type ChangeType = ResourceChange['type'];

/** Gathers changes into one batch, with the net change of each URI since the last batch. */
export class Batch {
  readonly #root: URI;
  #changes = new Map<URI, ChangeType>();
  #hasOverflowed = false;

  constructor(root: URI) {
    this.#root = root;
  }

  get isEmpty(): boolean {
    return this.#changes.size === 0 && !this.#hasOverflowed;
  }

  add(uri: URI, type: ChangeType): void {
    if (this.#hasOverflowed) return;
    const before = this.#changes.get(uri);
    const both = before === undefined ? type : NET_CHANGE[before][type];
    if (both === undefined) this.#changes.delete(uri);
    else this.#changes.set(uri, both);
    if (this.#changes.size > MAX_BATCH) this.overflow();
  }

  /**
   * Replaces the batch with one change of the root: what changed is unknown or too much, so clients must re-read
   * everything below.
   */
  overflow(): void {
    this.#hasOverflowed = true;
    this.#changes = new Map();
  }

  /** Returns the batch and starts a new one. */
  take(): ResourceChange[] {
    const items = [...this.#changes].map(([uri, type]) => ({ uri, type }));
    const taken = this.#hasOverflowed ? [{ uri: this.#root, type: 'updated' as const }] : items;
    this.#changes = new Map();
    this.#hasOverflowed = false;
    return taken;
  }
}

/** The net effect of two changes in a row; undefined for a file that came and went. */
const NET_CHANGE: Readonly<Record<ChangeType, Readonly<Record<ChangeType, ChangeType | undefined>>>> = {
  added: { added: 'added', updated: 'added', deleted: undefined },
  updated: { added: 'updated', updated: 'updated', deleted: 'deleted' },
  deleted: { added: 'updated', updated: 'updated', deleted: 'deleted' },
};
