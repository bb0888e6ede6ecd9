import type { ChannelKind, ChannelStates, URI } from '@ahpd/protocol';
import type { Ring } from './ring.js';

/** A channel that is in memory. Only the door changes it. */
export interface Channel<K extends ChannelKind = ChannelKind> {
  readonly uri: URI;
  readonly kind: K;
  state: ChannelStates[K];
  /** The serverSeq of the last action on it; 0 when there was none since it was loaded. */
  seq: number;
  readonly keeping: Keeping;
  /** The one client that may subscribe to it; anybody when it is absent. */
  readonly owner?: string | undefined;
}

/** How a channel outlives what happens: in the store with its session, or as a short memory of its last actions. */
type Keeping =
  | { readonly kind: 'durable'; readonly session: URI; unsaved: number }
  | { readonly kind: 'ring'; readonly ring: Ring };

export function isKind<K extends ChannelKind>(channel: Channel | undefined, kind: K): channel is Channel<K> {
  return channel?.kind === kind;
}
