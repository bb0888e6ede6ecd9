import type { ActionOf, ActionOrigin, ChannelKind, ChannelStates } from '@moorage/protocol';
import type { Channel } from './channel.js';
import type { Subscriber } from './subscriber.js';

/** An action that went through the door, with the states before and after it. Effects receive these. */
export interface Committed<K extends ChannelKind = ChannelKind> {
  readonly channel: Channel<K>;
  readonly action: ActionOf<K>;
  /** The client that dispatched it; undefined for the host's own actions. */
  readonly origin: ActionOrigin | undefined;
  /** The connection it arrived on; undefined for the host's own actions. */
  readonly sender: Subscriber | undefined;
  /** States are immutable, so these stay what the action found and left, even after later actions on the channel. */
  readonly before: ChannelStates[K];
  readonly after: ChannelStates[K];
}

export function isOn<K extends ChannelKind>(committed: Committed, kind: K): committed is Committed & Committed<K> {
  return committed.channel.kind === kind;
}

/** Listeners for committed actions by channel kind, called in the order they were added. */
export class Reactions {
  readonly #byKind = new Map<ChannelKind, ((committed: never) => void)[]>();

  add<K extends ChannelKind>(kind: K, reaction: (committed: Committed<K>) => void): void {
    this.#byKind.set(kind, [...(this.#byKind.get(kind) ?? []), reaction]);
  }

  to(committed: Committed): readonly ((committed: Committed) => void)[] {
    return (this.#byKind.get(committed.channel.kind) ?? []) as ((committed: Committed) => void)[];
  }
}
