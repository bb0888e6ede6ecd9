import type { ChannelKind, ChannelStates, SessionState, URI } from '@moorage/protocol';
import { type ChannelInPieces, type Store, StoreError } from '../ports/store.js';
import { type Channel, isKind, Ring } from './channel.js';
import { hasTurn } from './chat-turns.js';
import type { Pause } from './parse-in-slices.js';
import { fromStore, fromStoreInSlices, isLong } from './stored-channel.js';

/** The channels in memory. A durable channel that is not in memory is loaded from the store on demand. */
export class ChannelTable {
  /** Opens channels that exist only while watched; set when the door is connected to the service that has them. */
  openMissing: (uri: URI) => Channel | undefined = () => undefined;
  readonly #loaded = new Map<URI, Channel>();
  /** Channels that are being loaded with pauses. */
  readonly #loading = new Map<URI, Promise<void>>();
  readonly #store: Store;
  readonly #hasEnded: (uri: URI) => boolean;

  /** `hasEnded` names channels that ended in the open tick: the store still has them, but they must not be loaded again. */
  constructor(store: Store, hasEnded: (uri: URI) => boolean) {
    this.#store = store;
    this.#hasEnded = hasEnded;
  }

  /** The channel a client may subscribe to, opened if need be. A channel owned by another client counts as missing. */
  openFor(clientId: string, uri: URI): Channel | undefined {
    const known = this.load(uri);
    if (known) return known.owner === undefined || known.owner === clientId ? known : undefined;
    return this.openMissing(uri);
  }

  /** The channel of a URI, read from the store if it is not in memory. Throws a StoreError when its data is damaged. */
  load(uri: URI): Channel | undefined {
    const loaded = this.#loaded.get(uri);
    if (loaded) return loaded;
    if (this.#hasEnded(uri)) return undefined;
    const stored = this.#store.channels.read(uri);
    if (!stored) return undefined;
    const channel = fromStore(uri, stored);
    this.#loaded.set(uri, channel);
    return channel;
  }

  /** Loads a long channel with pauses, so that nobody has to wait for it. Undefined when `load` takes no time. */
  loadInSlices(uri: URI, pause: Pause): Promise<void> | undefined {
    if (this.#loaded.has(uri) || this.#hasEnded(uri)) return undefined;
    const loading = this.#loading.get(uri);
    if (loading) return loading;
    const stored = this.#store.channels.readInPieces(uri);
    if (!stored || !isLong(stored)) return undefined;
    const started = this.#loadStored(uri, stored, pause).finally(() => this.#loading.delete(uri));
    this.#loading.set(uri, started);
    return started;
  }

  async #loadStored(uri: URI, stored: ChannelInPieces, pause: Pause): Promise<void> {
    try {
      const channel = await fromStoreInSlices(uri, stored, pause);
      // Meanwhile it may have been loaded, changed or removed by others.
      const isCurrent = !this.#loaded.has(uri) && !this.#hasEnded(uri);
      if (isCurrent && this.#store.channels.replay(uri, channel.seq) === '') this.#loaded.set(uri, channel);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error; // `load` will say so to whoever asks
    }
  }

  /** Like `load`, but undefined unless the channel is of the given kind. */
  find<K extends ChannelKind>(kind: K, uri: URI): Channel<K> | undefined {
    const channel = this.load(uri);
    return isKind(channel, kind) ? channel : undefined;
  }

  /** The channel if it is in memory; never loads. */
  peek(uri: URI): Channel | undefined {
    return this.#loaded.get(uri);
  }

  /** Whether the channel exists. True also for a stored channel whose data cannot be read. */
  has(uri: URI): boolean {
    try {
      return this.load(uri) !== undefined;
    } catch (error) {
      if (error instanceof StoreError) return true;
      throw error;
    }
  }

  /** The session a channel belongs to; undefined for root and other channels that are not stored. */
  sessionOf(channel: Channel): Channel<'session'> | undefined {
    if (isKind(channel, 'session')) return channel;
    return channel.keeping.kind === 'durable' ? this.find('session', channel.keeping.session) : undefined;
  }

  /** The first chat of a session, other than `except`, that has a turn with this id. */
  chatWithTurn(session: SessionState | undefined, turnId: string, except?: URI): Channel<'chat'> | undefined {
    for (const { resource } of session?.chats ?? []) {
      const chat = resource === except ? undefined : this.find('chat', resource);
      if (chat && hasTurn(chat.state, turnId)) return chat;
    }
    return undefined;
  }

  /**
   * Whether any chat of the session has an active turn. Only chats in memory are checked: a chat with an active turn is never
   * unloaded. An open question without a turn does not count.
   */
  isBusy(session: SessionState): boolean {
    return session.chats.some(({ resource }) => {
      const chat = this.peek(resource);
      return isKind(chat, 'chat') && chat.state.activeTurn !== undefined;
    });
  }

  add<K extends ChannelKind>(uri: URI, kind: K, session: URI, state: ChannelStates[K]): Channel<K> {
    return this.#put({ uri, kind, state, seq: 0, keeping: { kind: 'durable', session, saved: 0, unsaved: 0 } });
  }

  addEphemeral<K extends ChannelKind>(
    uri: URI,
    kind: K,
    state: ChannelStates[K],
    replayableFrom: number,
    owner?: string,
  ): Channel<K> {
    return this.#put({ uri, kind, state, seq: 0, keeping: { kind: 'ring', ring: new Ring(replayableFrom) }, owner });
  }

  restore(channel: Channel): void {
    this.#loaded.set(channel.uri, channel);
  }

  forget(uri: URI): void {
    this.#loaded.delete(uri);
  }

  /** The envelopes after a serverSeq as JSON texts joined by commas; undefined when some of them are no longer kept. */
  replay(channel: Channel, afterSeq: number): string | undefined {
    if (channel.keeping.kind === 'ring') return channel.keeping.ring.since(afterSeq);
    try {
      return this.#store.channels.replay(channel.uri, afterSeq);
    } catch (error) {
      // The state is readable even though the log is not, so the client gets a snapshot instead.
      if (error instanceof StoreError && error.kind === 'broken') return undefined;
      throw error;
    }
  }

  values(): IterableIterator<Channel> {
    return this.#loaded.values();
  }

  #put<K extends ChannelKind>(channel: Channel<K>): Channel<K> {
    this.#loaded.set(channel.uri, channel as unknown as Channel);
    return channel;
  }
}
