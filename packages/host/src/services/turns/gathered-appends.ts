import type { ActionOf } from '@moorage/protocol';
import { mergeActions } from '../../core/merge-envelopes.js';
import type { Clock } from '../../ports/clock.js';
import { GATHER_MS, MAX_GATHERED_CHARS } from './limits.js';

type ChatAction = ActionOf<'chat'>;
export type Append = Extract<ChatAction, { type: 'chat/delta' | 'chat/reasoning' | 'chat/toolCallDelta' }>;

/**
 * Commits the pieces of a turn's text. The first one is shown at once; those that follow within GATHER_MS become one action, so
 * that a quick model costs a commit and a frame per GATHER_MS instead of per piece.
 */
export class GatheredAppends {
  readonly #clock: Clock;
  readonly #commit: (action: Append) => void;
  #waiting: Append | undefined;
  /** Runs from a piece that was committed until GATHER_MS later. */
  #timer: unknown;

  constructor(clock: Clock, commit: (action: Append) => void) {
    this.#clock = clock;
    this.#commit = commit;
  }

  add(action: Append): void {
    const merged = this.#waiting && mergeActions(this.#waiting, action)?.action;
    if (merged && charsOf(merged as Append) <= MAX_GATHERED_CHARS) {
      this.#waiting = merged as Append;
      return;
    }
    this.flush();
    if (this.#timer === undefined) this.#commit(action);
    else this.#waiting = action;
    this.#rest();
  }

  /** Commits what waits, before anything that comes after it. */
  flush(): void {
    const action = this.#waiting;
    this.#waiting = undefined;
    if (action) this.#commit(action);
  }

  /** Forgets what waits. */
  drop(): void {
    this.#waiting = undefined;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #rest(): void {
    this.#timer ??= this.#clock.setTimeout(() => {
      this.#timer = undefined;
      if (!this.#waiting) return;
      this.flush();
      this.#rest();
    }, GATHER_MS);
  }
}

function charsOf({ content = '' }: Append): number {
  return content.length;
}
