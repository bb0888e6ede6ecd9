import type { ActionOf, ActionOrigin, ChannelKind, ChannelStates, StateAction } from '@moorage/protocol';
import type { Channel } from './channel.js';
import type { Subscriber } from './delivery.js';

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

/** Reacts to an action once it is stored and sent. */
export type Effect<K extends ChannelKind = ChannelKind> = (committed: Committed<K>) => void;

/** The effects of each type of action, in the order in which they run. */
export type Effects = ReadonlyMap<StateAction['type'], readonly Effect[]>;
