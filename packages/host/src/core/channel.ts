import type { ChannelKind, ChannelStates, URI } from '@moorage/protocol';
import type { Ring } from './ring.js';

/** A channel in memory. Only the door changes it. */
export interface Channel<K extends ChannelKind = ChannelKind> {
  readonly uri: URI;
  readonly kind: K;
  state: ChannelStates[K];
  /** The serverSeq of the last action on it; for a loaded channel at first that of its stored state, for a new one 0. */
  seq: number;
  readonly keeping: Keeping;
  /** The only client that may subscribe; any client may when it is absent. */
  readonly owner?: string | undefined;
}

/**
 * Where the actions of a channel are kept: in the store, with its session, or in a bounded ring in memory. `saved` counts
 * the UTF-16 units of the last snapshot, `unsaved` those of the log after it.
 */
type Keeping =
  | { readonly kind: 'durable'; readonly session: URI; saved: number; unsaved: number }
  | { readonly kind: 'ring'; readonly ring: Ring };

export function isKind<K extends ChannelKind>(channel: Channel | undefined, kind: K): channel is Channel<K> {
  return channel?.kind === kind;
}

/** A channel as another host had it. */
export interface BroughtChannel {
  /** Its URI, which stays the same. */
  readonly uri: URI;
  /** What kind of channel it is. */
  readonly kind: ChannelKind;
  /** Its state there. */
  readonly state: Channel['state'];
}
