import { type ActionEnvelope, type ChannelKind, kindOfAction, ROOT_URI } from '@ahpd/protocol';
import type { Change, Directory, Downward, Told } from '@ahpd/protocol/versions';
import { Delivery, type OutgoingMessage } from '../../core/subscriber.js';

/** A message in the form of a dialect. */
interface Translated extends OutgoingMessage {
  readonly replaces?: string | undefined;
}

interface Translation {
  readonly told: Delivery;
  /** Whether nobody could want it otherwise, or has something to do because of it. */
  readonly isForAll: boolean;
}

/** What happens, in the form of one dialect: each message is translated and encoded once for all clients that speak it. */
export class Translator {
  readonly down: Downward;
  readonly #directory: Directory;
  readonly #known = new WeakMap<OutgoingMessage, readonly Translated[]>();
  readonly #deliveries = new WeakMap<Delivery, Translation>();

  constructor(down: Downward, directory: Directory) {
    this.down = down;
    this.#directory = directory;
  }

  /** The same object for all who get the same messages. */
  delivery(native: Delivery): Translation {
    const known = this.#deliveries.get(native);
    if (known) return known;
    const told = new Delivery(withoutReplaced(native.messages.flatMap((message) => this.message(message))));
    const translation = { told, isForAll: !native.messages.some(isPersonal) };
    this.#deliveries.set(native, translation);
    return translation;
  }

  message(native: OutgoingMessage): readonly Translated[] {
    const known = this.#known.get(native);
    if (known) return known;
    const translated = this.#translate(native);
    this.#known.set(native, translated);
    return translated;
  }

  /** The envelopes of a change, numbered so that the last has the number of the native one. */
  envelopes(envelope: ActionEnvelope, change: Change | undefined): object[] {
    return this.#numbered(envelope, this.#tell(envelope, change)).flatMap(({ params }) => (params ? [params] : []));
  }

  frame(params: object): string {
    return JSON.stringify({ jsonrpc: '2.0', method: 'action', params });
  }

  #translate({ frame, envelope, change, notice }: OutgoingMessage): readonly Translated[] {
    if (notice) return this.#notices(notice);
    if (!envelope) return [{ frame }]; // of another protocol, on a side channel
    if (envelope.rejectionReason !== undefined) return [this.#asSent(envelope)];
    const told = this.#tell(envelope, change);
    const isMergeable = told.length === 1 && MERGEABLE.has(envelope.action.type) && !envelope.origin;
    return this.#numbered(envelope, told).map(({ params, notice: other, replaces }) => ({
      frame: params ? this.frame(params) : JSON.stringify({ jsonrpc: '2.0', ...other }),
      replaces,
      ...(isMergeable && change && { envelope, change }),
    }));
  }

  /** What was refused may be anything: nobody has found it to be what it claims. */
  #asSent({ channel, action, ...rest }: ActionEnvelope): Translated {
    return { frame: this.frame(this.down.envelope(channel, { action: { ...action }, ...rest })) };
  }

  #tell(envelope: ActionEnvelope, change: Change | undefined): readonly Told[] {
    const { channel, action } = envelope; // which may be several appends in one
    const known = change ?? { kind: kindOfAction(action.type) as ChannelKind };
    return this.down.change({ ...known, channel, action }, this.#directory);
  }

  #numbered(envelope: ActionEnvelope, told: readonly Told[]) {
    const { serverSeq, origin, rejectionReason } = envelope;
    let left = told.filter((one) => 'action' in one).length;
    return told.map((one) => {
      if (!('action' in one)) return { notice: { method: one.method, params: one.params }, replaces: one.replaces };
      const rest = { action: one.action, serverSeq: serverSeq - --left, origin, rejectionReason };
      return { params: this.down.envelope(one.channel, rest), replaces: one.replaces };
    });
  }

  #notices(notice: NonNullable<OutgoingMessage['notice']>): readonly Translated[] {
    const told = this.down.notification(notice, this.#directory);
    if (!told) return [];
    const { method, params } = told;
    return [{ frame: JSON.stringify({ jsonrpc: '2.0', method, params }) }];
  }
}

/** Echoes are in the words of their sender, not all see the root, and chats come and go. */
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

/** Appends, which become one for a client that cannot keep up. They are told alike whatever the state is. */
const MERGEABLE: ReadonlySet<string> = new Set(['chat/delta', 'chat/reasoning', 'chat/toolCallDelta', 'terminal/data']);

function withoutReplaced(messages: readonly Translated[]): readonly Translated[] {
  if (!messages.some((message) => message.replaces !== undefined)) return messages;
  const last = new Map(messages.map((message, index) => [message.replaces, index]));
  return messages.filter(({ replaces }, index) => replaces === undefined || last.get(replaces) === index);
}
