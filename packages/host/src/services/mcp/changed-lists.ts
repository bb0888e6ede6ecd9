import type { Clock } from '../../ports/clock.js';
import { LIST_CHANGED_MS } from './limits.js';

export type ServerList = 'tools' | 'resources';

/** Throttles list changes: however often a server reports them, the lists are read at most once per LIST_CHANGED_MS. */
export class ChangedLists {
  readonly #clock: Clock;
  readonly #read: (lists: readonly ServerList[]) => void;
  readonly #changed = new Set<ServerList>();
  #timer: unknown;

  constructor(clock: Clock, read: (lists: readonly ServerList[]) => void) {
    this.#clock = clock;
    this.#read = read;
  }

  add(list: ServerList): void {
    this.#changed.add(list);
    this.#timer ??= this.#clock.setTimeout(() => {
      const lists = [...this.#changed];
      this.stop();
      this.#read(lists);
    }, LIST_CHANGED_MS);
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.clear();
  }
}
