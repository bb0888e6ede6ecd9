import type { Clock } from '../../ports/clock.js';
import { LIST_CHANGED_MS } from './limits.js';

export type ServerList = 'tools' | 'resources';

/** However often a server says that a list of it changed, it is looked at now and then. */
export class ChangedLists {
  readonly #clock: Clock;
  readonly #look: (lists: readonly ServerList[]) => void;
  readonly #changed = new Set<ServerList>();
  #timer: unknown;

  constructor(clock: Clock, look: (lists: readonly ServerList[]) => void) {
    this.#clock = clock;
    this.#look = look;
  }

  add(list: ServerList): void {
    this.#changed.add(list);
    this.#timer ??= this.#clock.setTimeout(() => {
      const lists = [...this.#changed];
      this.stop();
      this.#look(lists);
    }, LIST_CHANGED_MS);
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.clear();
  }
}
