import type { ChannelKind, ChannelStates, SessionState, URI } from '@ahpd/protocol';
import { type Store, StoreError } from '../ports/store.js';
import { type Channel, isKind } from './channel.js';
import { Ring } from './ring.js';
import { fromStore } from './stored-channel.js';

/** The channels in memory; a durable one that is not is loaded when it is asked for. */
export class ChannelTable {
  readonly #loaded = new Map<URI, Channel>();
  readonly #openers: ((uri: URI) => Channel | undefined)[] = [];
  readonly #store: Store;
  readonly #hasEnded: (uri: URI) => boolean;

  /** `hasEnded` tells of channels that the store still has, because the tick in which they ended is not stored yet. */
  constructor(store: Store, hasEnded: (uri: URI) => boolean) {
    this.#store = store;
    this.#hasEnded = hasEnded;
  }

  /** Channels that exist only while somebody watches them: asked for one that is neither in memory nor stored. */
  onMissing(opener: (uri: URI) => Channel | undefined): void {
    this.#openers.push(opener);
  }

  /** The channel that a client wants to watch; one of another client is as good as none. */
  openFor(clientId: string, uri: URI): Channel | undefined {
    const known = this.load(uri);
    if (known) return known.owner === undefined || known.owner === clientId ? known : undefined;
    for (const opener of this.#openers) {
      const opened = opener(uri);
      if (opened) return opened;
    }
    return undefined;
  }

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

  /** A channel if it is of this kind, loaded if need be. */
  find<K extends ChannelKind>(kind: K, uri: URI): Channel<K> | undefined {
    const channel = this.load(uri);
    return isKind(channel, kind) ? channel : undefined;
  }

  /** A channel only if it is in memory already. */
  peek(uri: URI): Channel | undefined {
    return this.#loaded.get(uri);
  }

  /** Whether there is such a channel, also one that is stored and cannot be read. */
  has(uri: URI): boolean {
    try {
      return this.load(uri) !== undefined;
    } catch (error) {
      if (error instanceof StoreError) return true;
      throw error;
    }
  }

  /** The session of a channel; root and other channels that are not stored belong to none. */
  sessionOf(channel: Channel): Channel<'session'> | undefined {
    if (isKind(channel, 'session')) return channel;
    return channel.keeping.kind === 'durable' ? this.find('session', channel.keeping.session) : undefined;
  }

  /** Whether a turn is active in any chat of a session; such a chat is in memory. A question alone is no turn. */
  isBusy(session: SessionState): boolean {
    return session.chats.some(({ resource }) => {
      const chat = this.peek(resource);
      return isKind(chat, 'chat') && chat.state.activeTurn !== undefined;
    });
  }

  add<K extends ChannelKind>(uri: URI, kind: K, session: URI, state: ChannelStates[K]): Channel<K> {
    return this.#put({ uri, kind, state, seq: 0, keeping: { kind: 'durable', session, unsaved: 0 } });
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

  /** The envelopes of a channel after a serverSeq, joined by commas; undefined when some of them are gone. */
  replay(channel: Channel, afterSeq: number): string | undefined {
    if (channel.keeping.kind === 'ring') return channel.keeping.ring.since(afterSeq);
    try {
      return this.#store.channels.replay(channel.uri, afterSeq);
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'broken') return undefined; // as good as gone: its state is not
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
