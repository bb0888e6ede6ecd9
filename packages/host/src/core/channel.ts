import type { ChannelKind, ChannelStates, URI } from '@moorage/protocol';

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

/** The last envelopes of a channel that is not stored, for clients that reconnect. The oldest are dropped past a bound. */
export class Ring {
  readonly #entries: { seq: number; json: string }[] = [];
  readonly #maxChars: number;
  #chars = 0;
  /** Every envelope after this serverSeq is still here. */
  #completeSince: number;

  constructor(completeSince: number, maxChars = RING_CHARS) {
    this.#completeSince = completeSince;
    this.#maxChars = maxChars;
  }

  push(seq: number, json: string): void {
    this.#entries.push({ seq, json });
    this.#chars += json.length;
    while (this.#chars > this.#maxChars) {
      const oldest = this.#entries.shift();
      if (!oldest) return;
      this.#chars -= oldest.json.length;
      this.#completeSince = oldest.seq;
    }
  }

  /** The envelopes after a serverSeq as JSON texts joined by commas; undefined when some of them were dropped. */
  since(seq: number): string | undefined {
    if (seq < this.#completeSince) return undefined;
    return this.#entries
      .filter((entry) => entry.seq > seq)
      .map((entry) => entry.json)
      .join(',');
  }
}

/** UTF-16 units per channel: enough for a dropped connection, and affordable for hundreds of terminals. */
const RING_CHARS = 256 * 1024;
