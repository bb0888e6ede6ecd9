import type { ActionOf, ActionOrigin, ChannelKind, ChannelStates } from '@ahpd/protocol';
import type { Channel } from './channel.js';
import type { Subscriber } from './subscriber.js';

/** An action that went through the door, and what it did: what effects react to. */
export interface Committed<K extends ChannelKind = ChannelKind> {
  readonly channel: Channel<K>;
  readonly action: ActionOf<K>;
  /** The client that wanted it; undefined when it is the host's own. */
  readonly origin: ActionOrigin | undefined;
  /** The connection that it came in on; a change that was deferred has an origin but no sender. */
  readonly sender: Subscriber | undefined;
  /** States are immutable, so these are what the action did, even when the channel has moved on since. */
  readonly before: ChannelStates[K];
  readonly after: ChannelStates[K];
}

export function isOn<K extends ChannelKind>(committed: Committed, kind: K): committed is Committed & Committed<K> {
  return committed.channel.kind === kind;
}

/** Reactions to what was committed on channels of each kind, in the order in which they were added. */
export class Reactions {
  readonly #byKind = new Map<ChannelKind, ((committed: never) => void)[]>();

  add<K extends ChannelKind>(kind: K, reaction: (committed: Committed<K>) => void): void {
    this.#byKind.set(kind, [...(this.#byKind.get(kind) ?? []), reaction]);
  }

  to(committed: Committed): readonly ((committed: Committed) => void)[] {
    return (this.#byKind.get(committed.channel.kind) ?? []) as ((committed: Committed) => void)[];
  }
}
