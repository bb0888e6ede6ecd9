import { type ActionEnvelope, type ChannelKind, kindOfAction, ROOT_URI } from '@moorage/protocol';
import type { Change, Directory, Downward, Translated } from '@moorage/protocol/versions';
import { Delivery, type OutgoingMessage } from '../../core/delivery.js';

/** A message in the form of a dialect. */
interface TranslatedMessage extends OutgoingMessage {
  /** Of the messages of a delivery with the same value here, only the last is sent. */
  readonly replaces?: string | undefined;
}

interface TranslatedDelivery {
  readonly translated: Delivery;
  /** False when a client's view must look at the messages: some may be different for it, or change what it follows. */
  readonly isSameForAll: boolean;
}

/** Translates outgoing messages to one dialect, each once for all clients that speak it. */
export class Translator {
  readonly down: Downward;
  readonly #directory: Directory;
  readonly #messages = new WeakMap<OutgoingMessage, readonly TranslatedMessage[]>();
  readonly #deliveries = new WeakMap<Delivery, TranslatedDelivery>();

  constructor(down: Downward, directory: Directory) {
    this.down = down;
    this.#directory = directory;
  }

  /** Returns the same object for the same delivery, so that it is turned into bytes once. */
  delivery(native: Delivery): TranslatedDelivery {
    const known = this.#deliveries.get(native);
    if (known) return known;
    const translated = new Delivery(withoutReplaced(native.messages.flatMap((message) => this.message(message))));
    const delivery = { translated, isSameForAll: !native.messages.some(isPersonal) };
    this.#deliveries.set(native, delivery);
    return delivery;
  }

  /** How all clients of the version see a message; undefined if they may see it differently. */
  forAll(native: OutgoingMessage): readonly TranslatedMessage[] | undefined {
    if (isPersonal(native)) return undefined;
    try {
      return this.message(native);
    } catch {
      return undefined; // each finds that out by itself, and is closed
    }
  }

  message(native: OutgoingMessage): readonly TranslatedMessage[] {
    const known = this.#messages.get(native);
    if (known) return known;
    const translated = this.#translate(native);
    this.#messages.set(native, translated);
    return translated;
  }

  /** The envelopes of a change, numbered so that the last one has the serverSeq of the native envelope. */
  envelopes(envelope: ActionEnvelope, change: Change | undefined): object[] {
    const translated = this.#translateChange(envelope, change);
    return this.#number(envelope, translated).flatMap(({ params }) => (params ? [params] : []));
  }

  frame(params: object): string {
    return JSON.stringify({ jsonrpc: '2.0', method: 'action', params });
  }

  #translate({ frame, envelope, change, notice }: OutgoingMessage): readonly TranslatedMessage[] {
    if (notice) return this.#translateNotice(notice);
    if (!envelope) return [{ frame }]; // a message of another protocol, on a side channel
    if (envelope.rejectionReason !== undefined) return [this.#rejection(envelope)];
    const translated = this.#translateChange(envelope, change);
    const [only] = translated;
    // What is the same in this version is sent as it is, without being written out once more.
    const isSame =
      translated.length === 1 &&
      this.down.keepsEnvelopes &&
      only &&
      'action' in only &&
      only.action === envelope.action;
    const isMergeable = translated.length === 1 && MERGEABLE.has(envelope.action.type) && !envelope.origin;
    if (isSame && only.channel === envelope.channel)
      return [{ frame, ...(isMergeable && change && { envelope, change }) }];
    return this.#number(envelope, translated).map(({ params, notice: other, replaces }) => ({
      frame: params ? this.frame(params) : JSON.stringify({ jsonrpc: '2.0', ...other }),
      replaces,
      ...(isMergeable && change && { envelope, change }),
    }));
  }

  /** A rejected action is returned as it was sent: it may be malformed, so it cannot be translated. */
  #rejection({ channel, action, ...rest }: ActionEnvelope): TranslatedMessage {
    return { frame: this.frame(this.down.envelope(channel, { action: { ...action }, ...rest })) };
  }

  #translateChange(envelope: ActionEnvelope, change: Change | undefined): readonly Translated[] {
    const { channel, action } = envelope; // not the action of the change: it may be several appends merged into one
    const known = change ?? { kind: kindOfAction(action.type) as ChannelKind };
    return this.down.change({ ...known, channel, action }, this.#directory);
  }

  #number(envelope: ActionEnvelope, translated: readonly Translated[]) {
    const { serverSeq, origin, rejectionReason } = envelope;
    let left = translated.filter((one) => 'action' in one).length;
    return translated.map((one) => {
      if (!('action' in one)) return { notice: { method: one.method, params: one.params }, replaces: one.replaces };
      const rest = { action: one.action, serverSeq: serverSeq - --left, origin, rejectionReason };
      return { params: this.down.envelope(one.channel, rest), replaces: one.replaces };
    });
  }

  #translateNotice(notice: NonNullable<OutgoingMessage['notice']>): readonly TranslatedMessage[] {
    const translated = this.down.notification(notice, this.#directory);
    if (!translated) return [];
    const { method, params } = translated;
    return [{ frame: JSON.stringify({ jsonrpc: '2.0', method, params }) }];
  }
}

/**
 * Whether a message may differ between clients of one version: an echo is sent back as its sender wrote it, not every
 * client follows the root, and the addition or removal of a chat changes which channels a client follows.
 */
function isPersonal({ envelope }: OutgoingMessage): boolean {
  if (!envelope) return false;
  const { action, origin, channel } = envelope;
  return (
    origin !== undefined ||
    channel === ROOT_URI ||
    action.type === 'session/chatAdded' ||
    action.type === 'session/chatRemoved'
  );
}

/** Appends that may be merged for a client that cannot keep up: their translation does not depend on the state. */
const MERGEABLE: ReadonlySet<string> = new Set(['chat/delta', 'chat/reasoning', 'chat/toolCallDelta', 'terminal/data']);

function withoutReplaced(messages: readonly TranslatedMessage[]): readonly TranslatedMessage[] {
  if (!messages.some((message) => message.replaces !== undefined)) return messages;
  const last = new Map(messages.map((message, index) => [message.replaces, index]));
  return messages.filter(({ replaces }, index) => replaces === undefined || last.get(replaces) === index);
}
