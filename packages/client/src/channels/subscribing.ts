import type { ActionEnvelope, ChannelKind, SubscribeView } from '@moorage/protocol';
import { type Channel, MAX_KEPT_ENVELOPES } from './channel.js';
import type { ChannelContext } from './context.js';

/** A channel whose first snapshot is still to come; envelopes that overtake it are kept (B-53). */
export class Subscribing<K extends ChannelKind> {
  readonly uri: string;
  readonly kind: K;
  /** How much of the state is asked for. */
  readonly view: SubscribeView | undefined;
  /** Whether its snapshot comes with the handshake instead of the answer to a `subscribe`. */
  readonly expected: boolean;
  readonly kept: ActionEnvelope[] = [];
  /** Something could not be read that the snapshot may lack. */
  distrusted = false;
  /** How many wait for it and will hold the channel. */
  holders = 0;
  readonly channel: Promise<Channel<K>>;
  resolve: (channel: Channel<K>) => void = () => {};
  reject: (error: unknown) => void = () => {};
  readonly #context: ChannelContext;

  constructor(
    uri: string,
    kind: K,
    { view, expected }: { readonly view?: SubscribeView | undefined; readonly expected: boolean },
    context: ChannelContext,
  ) {
    this.uri = uri;
    this.kind = kind;
    this.view = view;
    this.expected = expected;
    this.#context = context;
    this.channel = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.channel.catch(() => {}); // nobody need be waiting for it
  }

  receive(envelope: ActionEnvelope): void {
    this.kept.push(envelope);
    if (this.kept.length > MAX_KEPT_ENVELOPES) this.#context.overflow(this.uri);
  }
}
