import type { ChannelKind, StateAction, URI } from '@moorage/protocol';
import type { Clock } from '../ports/clock.js';
import { StoreError } from '../ports/store.js';
import type { Channel } from './channel.js';
import type { ChannelTable } from './channel-table.js';
import type { Documents } from './documents.js';
import type { IfLost } from './if-lost.js';
import type { Tick } from './tick.js';

/** Milliseconds between two attempts to store again: gentle on a failing disk, yet soon after it works. */
export const MIN_RETRY_MS = 1_000;
export const MAX_RETRY_MS = 30_000;

export interface UnstoredOptions {
  readonly clock: RetryClock;
  readonly channels: ChannelTable;
  readonly documents: Documents;
  readonly commit: (channel: Channel, action: StateAction, ifLost: IfLost) => void;
  readonly onError: (error: unknown) => void;
}

export type RetryClock = Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>;

/** What is to be decided again about a channel. The channel is found again by then: it may have been unloaded and loaded. */
interface Due {
  readonly kind: ChannelKind;
  readonly ifLost: Set<IfLost>;
  /** Actions to commit again first, and what came after them; undefined if it has none. */
  held: { readonly actions: StateAction[]; readonly ifLost: IfLost } | undefined;
}

/**
 * What the host itself decided and could not store. This is the only place where the host retries after a failure of the
 * store: one timer, which waits as long again as the store has been failing, within bounds.
 */
export class Unstored {
  readonly #options: UnstoredOptions;
  readonly #due = new Map<URI, Due>();
  #timer: unknown;
  #isClosed = false;
  #failingSince: number | undefined;
  /** Whether something was not stored since the store last worked. */
  isFailing = false;

  constructor(options: UnstoredOptions) {
    this.#options = options;
  }

  /** Takes over what the host had decided in a tick that was undone. */
  lost(tick: Tick): void {
    this.isFailing = true;
    this.#options.documents.lost(tick);
    for (const [channel, all] of tick.ifLost) {
      for (const ifLost of all) this.#add(channel, ifLost, tick);
    }
    for (const [channel, all] of tick.ifLost) {
      for (const ifLost of all) this.#guard(() => ifLost.undo?.(channel));
    }
    this.#schedule();
  }

  /** A tick was stored. */
  stored(): void {
    if (!this.#isEmpty) return;
    this.#failingSince = undefined;
    this.isFailing = false;
  }

  /** Keeps an action back if earlier ones of its channel wait to be committed again. */
  holdBack(channel: Channel, action: StateAction): boolean {
    const held = this.#due.get(channel.uri)?.held;
    held?.actions.push(action);
    return held !== undefined;
  }

  /** Ends all retries because the host stops. Documents get a last chance; the rest is settled after the next start. */
  close(): void {
    this.#isClosed = true;
    this.#options.clock.clearTimeout(this.#timer);
    this.#due.clear();
    this.#options.documents.putAgain();
  }

  get #isEmpty(): boolean {
    return this.#due.size === 0 && !this.#options.documents.hasUnstored;
  }

  #add(channel: Channel, ifLost: IfLost, { committed }: Tick): void {
    if (!ifLost.again && !ifLost.repeats) return;
    const due: Due = this.#due.get(channel.uri) ?? { kind: channel.kind, ifLost: new Set(), held: undefined };
    this.#due.set(channel.uri, due);
    due.ifLost.add(ifLost);
    if (!ifLost.repeats || due.held) return;
    const own = committed.filter((one) => one.channel === channel && !one.origin);
    due.held = { actions: own.map(({ action }) => action), ifLost };
  }

  #schedule(): void {
    const { clock } = this.#options;
    if (this.#isClosed || this.#isEmpty || this.#timer !== undefined) return;
    this.#failingSince ??= clock.now();
    const failing = clock.now() - this.#failingSince;
    const wait = Math.min(Math.max(failing, MIN_RETRY_MS), MAX_RETRY_MS);
    this.#timer = clock.setTimeout(() => this.#retry(), wait);
  }

  #retry(): void {
    this.#timer = undefined;
    const { channels, commit, documents } = this.#options;
    const due = [...this.#due];
    this.#due.clear();
    documents.putAgain();
    for (const [uri, one] of due) {
      this.#guard(() => {
        const channel = this.#find(channels, uri, one);
        if (!channel) return;
        for (const action of one.held?.actions ?? []) commit(channel, action, one.held?.ifLost ?? {});
        for (const ifLost of one.ifLost) this.#guard(() => ifLost.again?.(channel));
      });
    }
    this.#schedule(); // for those that could not even be read
  }

  /** The channel, if it still exists. One that cannot be read now stays due. */
  #find(channels: ChannelTable, uri: URI, due: Due): Channel | undefined {
    try {
      return channels.find(due.kind, uri);
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'unavailable') this.#due.set(uri, due);
      throw error;
    }
  }

  /** One failing decision must not prevent the others. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
