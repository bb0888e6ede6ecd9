/// <reference lib="esnext.disposable" preserve="true" />
import type { ActionEnvelope, ActionOf, ChannelKind, ChannelStates } from '@moorage/protocol';
import { NotDeliveredError } from '../errors.js';
import { Listeners } from '../listeners.js';
import type { Channel, ChannelPhase, Viewer } from './channel.js';

/**
 * - `live`: what the host sends is applied as it comes
 * - `stale`: the last known state; the client is reconnecting, or asking for the channel anew
 * - `gone`: nothing will come any more: the channel ended, the mirror was released or the client closed
 */
export type MirrorStatus = 'live' | 'stale' | 'gone';

/** An envelope on a channel of a known kind. */
export interface EnvelopeOf<K extends ChannelKind> extends ActionEnvelope {
  /** What changes the channel. */
  readonly action: ActionOf<K>;
}

/**
 * A live copy of one channel's state. It may lag behind the host; it never skips an action. Its functions are bound to it:
 * `const { subscribe } = mirror` works.
 */
export interface Mirror<K extends ChannelKind> {
  /** The URI of the channel. */
  readonly uri: string;
  /** What kind of channel it is. */
  readonly kind: K;
  /** Whether the state is live, stale, or of a channel that is gone. */
  readonly status: MirrorStatus;
  /** What the host has confirmed. A state never changes; another one takes its place. */
  readonly confirmed: ChannelStates[K];
  /** The confirmed state with the pending actions on top: what to show. Derived when read. */
  readonly optimistic: ChannelStates[K];
  /** How many dispatched actions the host has not answered. */
  readonly pendingCount: number;
  /** Called once for all that changed in one turn of the event loop, also when the status changed. */
  subscribe(listener: (mirror: Mirror<K>) => void): () => void;
  /** Called for each envelope that is new to this mirror, in order, also for rejected ones (`rejectionReason`). */
  onAction(listener: (envelope: EnvelopeOf<K>) => void): () => void;
  /**
   * Shows the action at once in `optimistic` and sends it. Resolves with the host's echo; rejects with a `RejectedError`
   * or a `NotDeliveredError`. A promise that nobody looks at does not count as unhandled.
   */
  dispatch(action: ActionOf<K>): Promise<ActionEnvelope>;
  /** Gives the mirror back. The subscription ends with the last mirror of its URI. */
  release(): void;
  /** As `release`, for `using`. */
  [Symbol.dispose](): void;
}

const STATUS: { readonly [P in ChannelPhase]: MirrorStatus } = {
  live: 'live',
  suspended: 'stale',
  stale: 'stale',
  gone: 'gone',
};

/** One holder's view of a channel, with listeners of its own. Releasing it twice does not take it away from others. */
export class ChannelMirror<K extends ChannelKind> implements Mirror<K>, Viewer {
  readonly #channel: Channel<K>;
  readonly #onRelease: () => void;
  readonly #changeListeners: Listeners<[Mirror<K>]>;
  readonly #actionListeners: Listeners<[EnvelopeOf<K>]>;
  #released = false;

  constructor(channel: Channel<K>, onRelease: () => void, onThrow: (error: unknown) => void) {
    this.#channel = channel;
    this.#onRelease = onRelease;
    this.#changeListeners = new Listeners(onThrow);
    this.#actionListeners = new Listeners(onThrow);
    channel.viewers.add(this);
  }

  get uri(): string {
    return this.#channel.uri;
  }

  get kind(): K {
    return this.#channel.kind;
  }

  get status(): MirrorStatus {
    return this.#released ? 'gone' : STATUS[this.#channel.phase];
  }

  get confirmed(): ChannelStates[K] {
    return this.#channel.replica.confirmed;
  }

  get optimistic(): ChannelStates[K] {
    return this.#channel.replica.optimistic;
  }

  get pendingCount(): number {
    return this.#channel.replica.pending.length;
  }

  readonly subscribe = (listener: (mirror: Mirror<K>) => void): (() => void) => this.#changeListeners.add(listener);

  readonly onAction = (listener: (envelope: EnvelopeOf<K>) => void): (() => void) =>
    this.#actionListeners.add(listener);

  readonly dispatch = (action: ActionOf<K>): Promise<ActionEnvelope> => {
    if (!this.#released) return this.#channel.dispatch(action);
    const promise = Promise.reject(new NotDeliveredError('released', action, false));
    promise.catch(() => {}); // as with every dispatch, nobody need look at it
    return promise;
  };

  readonly release = (): void => {
    if (this.#released) return;
    this.#released = true;
    this.#channel.viewers.delete(this);
    this.#changeListeners.clear();
    this.#actionListeners.clear();
    this.#onRelease();
  };

  [Symbol.dispose](): void {
    this.release();
  }

  onNews(envelopes: readonly ActionEnvelope[]): void {
    if (this.#actionListeners.size === 0) return;
    for (const envelope of envelopes) this.#actionListeners.emit(envelope as EnvelopeOf<K>);
  }

  onChanged(): void {
    this.#changeListeners.emit(this);
  }
}
