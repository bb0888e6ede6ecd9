import {
  type ActionEnvelope,
  type ChannelKind,
  changesetUri,
  type FileEdit,
  ROOT_URI,
  type SubscribeView,
  type URI,
} from '@moorage/protocol';
import { type Change, legacyChat, type Subject } from '@moorage/protocol/versions';
import { type Channel, isKind } from '../../core/channel.js';
import { Delivery, type OutgoingMessage, type Subscriber } from '../../core/delivery.js';
import type { Door } from '../../core/door.js';
import type { DispatchMemory, SentDispatch } from '../dispatch-memory.js';
import { ifReadable } from '../if-readable.js';
import { isStateless, type Missed, missedBy } from '../replay.js';
import type { HostDirectory } from './directory.js';
import type { Translator } from './translator.js';
import type { ClientView } from './view.js';

export interface TranslatedViewOptions {
  readonly door: Door;
  readonly directory: HostDirectory;
  readonly translator: Translator;
  readonly dispatches: DispatchMemory;
  readonly subscriber: Subscriber;
  /** What the client has of a session cannot be brought up to date by actions: it must reconnect for snapshots. */
  readonly onStale: () => void;
}

/**
 * The view of a client that speaks another version. What that version knows as one session may be several channels here,
 * which are subscribed to together.
 */
export class TranslatedView implements ClientView {
  readonly #options: TranslatedViewOptions;
  /** The further channels that the client follows as part of a session, by session. */
  readonly #companions = new Map<URI, readonly URI[]>();
  #seesRoot = false;

  constructor(options: TranslatedViewOptions) {
    this.#options = options;
    const { door, subscriber, translator } = options;
    if (translator.down.broadcasts) door.subscriptions.add(subscriber, ROOT_URI);
  }

  attach(uri: URI, view: SubscribeView = {}): string | undefined {
    const { door, directory, translator } = this.#options;
    const channel = this.#channelFor(uri);
    if (!channel) return undefined;
    door.settle(); // the channel may just have been opened
    const subject = this.#subject(channel, view);
    const state = subject && translator.down.state(subject, directory);
    if (!state) return undefined;
    this.#follow(channel);
    return JSON.stringify({ resource: uri, state, fromSeq: door.serverSeq });
  }

  detach(uri: URI): void {
    const { door, directory, subscriber, translator } = this.#options;
    const native = directory.resolve(uri);
    if (native === ROOT_URI) this.#seesRoot = false;
    if (native === ROOT_URI && translator.down.broadcasts) return;
    for (const each of [native, ...(this.#companions.get(native) ?? [])]) door.subscriptions.remove(subscriber, each);
    this.#companions.delete(native);
  }

  resume(uris: readonly URI[], lastSeen: number): Missed | undefined {
    const { door, translator } = this.#options;
    const channels = new Map<URI, Channel>();
    const missing: URI[] = [];
    for (const uri of uris) {
      if (isStateless(uri)) continue;
      const channel = ifReadable(() => this.#channelFor(uri));
      if (channel) channels.set(channel.uri, channel);
      else missing.push(uri);
    }
    const all = [...channels.values()].flatMap((channel) => [channel.uri, ...this.#companionsOf(channel)]);
    const missed = missedBy(door, this.#options.subscriber.clientId, all, lastSeen);
    if (!missed) return undefined;
    const envelopes = JSON.parse(`[${missed.envelopes}]`) as ActionEnvelope[];
    const changes = envelopes.map((envelope) => this.#changeOf(envelope));
    if (!changes.every((change) => translator.down.isReplayable(change, this.#options.directory))) return undefined;
    const translated = envelopes.flatMap((envelope, index) => this.#translateReplayed(envelope, changes[index]));
    for (const channel of channels.values()) this.#follow(channel);
    const text = translated.map((envelope) => JSON.stringify(envelope)).join(',');
    return { envelopes: text, resumed: [...channels.keys()], missing };
  }

  translate(delivery: Delivery): Delivery | undefined {
    const { translator, subscriber } = this.#options;
    const { translated: shared, isSameForAll } = translator.delivery(delivery);
    if (isSameForAll) return shared.messages.length > 0 ? shared : undefined;
    const isOwn = ({ envelope }: OutgoingMessage) => envelope?.origin?.clientId === subscriber.clientId;
    const isHidden = ({ envelope }: OutgoingMessage) => !this.#seesRoot && envelope?.channel === ROOT_URI;
    for (const message of delivery.messages) this.#followChatChange(message);
    const differs = delivery.messages.some((message) => isOwn(message) || isHidden(message));
    const translated = differs
      ? new Delivery(
          delivery.messages.flatMap((message) => {
            if (isHidden(message)) return [];
            return isOwn(message) ? this.#echo(message) : translator.message(message);
          }),
        )
      : shared;
    return translated.messages.length > 0 ? translated : undefined;
  }

  encode(envelope: ActionEnvelope, change: Change | undefined): string {
    const { translator } = this.#options;
    return translator.frame(translator.envelopes(envelope, change)[0] ?? envelope);
  }

  /** The channel that a client may subscribe to. A chat that its version shows as part of the session is not one. */
  #channelFor(uri: URI): Channel | undefined {
    const { door, directory, translator } = this.#options;
    if (isStateless(uri)) return undefined;
    const channel = door.channels.openFor(this.#options.subscriber.clientId, directory.resolve(uri));
    if (!channel || !translator.down.mergesChats || !isKind(channel, 'chat')) return channel;
    const session = directory.sessionOfChat(channel.uri);
    return session && legacyChat(session.state) !== channel.uri ? channel : undefined;
  }

  #subject(channel: Channel, view: SubscribeView): Subject | undefined {
    const { door, directory, translator } = this.#options;
    if (isKind(channel, 'chat')) {
      const session = directory.sessionOfChat(channel.uri);
      return session && { kind: 'chat', uri: channel.uri, state: door.presentView(channel, view), session };
    }
    if (!isKind(channel, 'session')) return { kind: channel.kind, uri: channel.uri, state: channel.state } as Subject;
    const uri = translator.down.mergesChats ? legacyChat(channel.state) : undefined;
    const chat = uri === undefined ? undefined : door.channels.find('chat', uri);
    return {
      kind: 'session',
      uri: channel.uri,
      state: door.present(channel),
      chat: chat && door.present(chat),
      diffs: this.#diffs(channel.uri),
    };
  }

  #follow(channel: Channel): void {
    const { door, subscriber } = this.#options;
    const companions = this.#companionsOf(channel);
    if (companions.length > 0) this.#companions.set(channel.uri, companions);
    if (channel.uri === ROOT_URI) this.#seesRoot = true;
    for (const each of [channel.uri, ...companions]) door.subscriptions.add(subscriber, each);
  }

  #companionsOf(channel: Channel): URI[] {
    const { down } = this.#options.translator;
    if (!isKind(channel, 'session')) return [];
    const chat = down.mergesChats ? legacyChat(channel.state) : undefined;
    const changeset = this.#changesetOf(channel.uri);
    return [...(chat === undefined ? [] : [chat]), ...(changeset ? [changeset.uri] : [])];
  }

  /** The changeset of a session, for a version that shows it as part of the session. */
  #changesetOf(session: URI): Channel<'changeset'> | undefined {
    const { door, translator, subscriber } = this.#options;
    if (!translator.down.showsDiffs) return undefined;
    const channel = door.channels.openFor(subscriber.clientId, changesetUri(session, { kind: 'session' }));
    return isKind(channel, 'changeset') ? channel : undefined;
  }

  #diffs(session: URI): FileEdit[] | undefined {
    const changeset = this.#changesetOf(session)?.state;
    return changeset && changeset.status !== 'computing' ? changeset.files.map((file) => file.edit) : undefined;
  }

  /**
   * Follows the session's own chat when it is added, and reports the view as stale when that chat is removed or replaced:
   * no action of the older version can replace one conversation by another.
   */
  #followChatChange({ envelope }: OutgoingMessage): void {
    const { door, onStale } = this.#options;
    const { action, channel: uri } = envelope ?? {};
    if (action?.type !== 'session/chatAdded' && action?.type !== 'session/chatRemoved') return;
    const session = door.channels.peek(uri ?? '');
    if (!this.#options.translator.down.mergesChats || !isKind(session, 'session')) return;
    const known = this.#companions.get(session.uri) ?? [];
    if (action.type === 'session/chatRemoved') {
      if (known.includes(action.chat)) onStale();
      return;
    }
    const own = legacyChat(session.state);
    if (own === undefined || known.includes(own)) return;
    const chat = door.channels.find('chat', own);
    if (chat && isEmpty(chat)) this.#follow(session);
    else onStale();
  }

  /** The echo of an action as its sender wrote it; translated back when it was sent before this host started. */
  #echo(message: OutgoingMessage): readonly OutgoingMessage[] {
    const { translator } = this.#options;
    const { envelope } = message;
    const sent = envelope && this.#options.dispatches.sentFor(envelope);
    if (!envelope || !sent) return translator.message(message);
    const translated = sent.isRephrased ? translator.message(message) : [];
    return translated.length > 0 ? translated : [{ frame: translator.frame(this.#verbatim(envelope, sent)) }];
  }

  #verbatim(envelope: ActionEnvelope, sent: SentDispatch): object {
    const { serverSeq, origin, rejectionReason } = envelope;
    const channel = sent.isRephrased ? sent.channel : this.#echoChannel(sent.channel, envelope);
    return this.#options.translator.down.envelope(channel, { action: sent.action, serverSeq, origin, rejectionReason });
  }

  /**
   * The channel that the sender named, unless it named the session for an action on a chat that it follows as a channel of
   * its own: its replica of the chat needs the action, too. A rejection undoes something where it was sent.
   */
  #echoChannel(named: URI, { channel, rejectionReason }: ActionEnvelope): URI {
    const { directory, translator } = this.#options;
    const isElsewhere = !translator.down.mergesChats && directory.resolve(named) !== channel;
    return isElsewhere && rejectionReason === undefined ? channel : named;
  }

  #changeOf({ channel: uri, action }: ActionEnvelope): Change {
    const { door } = this.#options;
    const channel = door.channels.peek(uri);
    const kind = channel?.kind ?? ('resourceWatch' satisfies ChannelKind);
    const owner = channel && door.channels.sessionOf(channel);
    return { channel: uri, kind, action, session: owner && { uri: owner.uri, state: owner.state } };
  }

  #translateReplayed(envelope: ActionEnvelope, change: Change | undefined): object[] {
    const { translator, subscriber, dispatches } = this.#options;
    const isOwn = envelope.origin?.clientId === subscriber.clientId;
    const sent = isOwn ? dispatches.sentFor(envelope) : undefined;
    if (!sent) return translator.envelopes(envelope, change);
    const translated = sent.isRephrased ? translator.envelopes(envelope, change) : [];
    return translated.length > 0 ? translated : [this.#verbatim(envelope, sent)];
  }
}

function isEmpty({ state }: Channel<'chat'>): boolean {
  return state.turns.length === 0 && state.activeTurn === undefined;
}
