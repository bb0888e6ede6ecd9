import type {
  ActionOf,
  ActionOrigin,
  ChannelKind,
  ChannelStates,
  ServerNotificationMap,
  Snapshot,
  StateAction,
  URI,
} from '@ahpd/protocol';
import { ROOT_URI } from '@ahpd/protocol';
import { type DisposedChannel, type Store, StoreError } from '../ports/store.js';
import { Applying } from './applying.js';
import { type Channel, isKind } from './channel.js';
import { ChannelTable } from './channel-table.js';
import type { Committed } from './committed.js';
import { Documents } from './documents.js';
import { Flushing } from './flushing.js';
import { noticeMessage } from './frames.js';
import { Judge, type MissingTokens } from './judge.js';
import { keepRemoval, keepSnapshot, keepSummary, keepUnsettled } from './keeping.js';
import { OpenTick } from './open-tick.js';
import { rejection } from './rejections.js';
import type { Verdict } from './rules/index.js';
import { Sequence } from './sequence.js';
import { snapshotText } from './snapshot-text.js';
import { fromStore } from './stored-channel.js';
import type { Subscriber } from './subscriber.js';
import { Subscriptions } from './subscriptions.js';
import { presentChat } from './summary.js';
import { SummaryBoard } from './summary-board.js';
import { isUnsettled } from './unsettled.js';

export interface DoorOptions {
  readonly store: Store;
  readonly now: () => number;
  /** How many numbers an action takes; clients may be told of it in several pieces, each with its own. */
  readonly numbersFor: (action: StateAction) => number;
  /** Asks for a call of `flush` soon: there is something to store and send. */
  readonly schedule: () => void;
  readonly onEffectError: (error: unknown) => void;
  /** What could not be stored is undone, and its senders know; nobody else is told. */
  readonly onStoreError: (error: unknown) => void;
  /** Something was said to a channel that had left memory, and is lost: who works for a session keeps it in memory. */
  readonly onUnheard: (channel: URI, action: string) => void;
}

/**
 * The one door: every change of what a client can see goes through here, in this order: rules, reduce, number, store,
 * send, effects. Between two flushes changes gather in a tick; nobody is told of them before they are stored.
 */
export class Door {
  readonly subscriptions = new Subscriptions();
  readonly channels: ChannelTable;
  readonly documents: Documents;
  readonly #store: Store;
  readonly #tick: OpenTick;
  readonly #sequence: Sequence;
  readonly #board: SummaryBoard;
  readonly #judge: Judge;
  readonly #applying: Applying;
  readonly #flushing: Flushing;
  readonly #onStoreError: (error: unknown) => void;
  readonly #onUnheard: DoorOptions['onUnheard'];
  readonly #unloaded = new WeakSet<object>();

  constructor(options: DoorOptions) {
    const { store, now, numbersFor, schedule, onEffectError, onStoreError, onUnheard } = options;
    const tick = new OpenTick(now, schedule);
    const sequence = new Sequence(store.header.seqCeiling);
    const channels = new ChannelTable(store, (uri) => tick.current.ended.has(uri));
    const board = new SummaryBoard(channels);
    const documents = new Documents(store, tick);
    this.channels = channels;
    this.documents = documents;
    this.#store = store;
    this.#tick = tick;
    this.#sequence = sequence;
    this.#board = board;
    this.#onStoreError = onStoreError;
    this.#onUnheard = onUnheard;
    this.#judge = new Judge(channels);
    this.#applying = new Applying({ tick, sequence, numbersFor, channels, board, documents });
    this.#flushing = new Flushing({ store, sequence, subscriptions: this.subscriptions, onEffectError });
  }

  get serverSeq(): number {
    return this.#sequence.last;
  }

  /** Effects see every action on channels of a kind once it is stored and sent. They change state only through the door. */
  onCommitted<K extends ChannelKind>(kind: K, effect: (committed: Committed<K>) => void): void {
    this.#flushing.effects.add(kind, effect);
  }

  /** Whoever keeps tokens says which of them a client has to give before it can start a turn. */
  setMissingTokens(missingTokens: MissingTokens): void {
    this.#judge.setMissingTokens(missingTokens);
  }

  /** Whoever keeps deferred actions says how many it has of a session. */
  setHolding(heldOf: (session: URI) => number): void {
    this.#judge.setHolding(heldOf);
  }

  /** Called with the actions that could not be stored and were taken back; clients know of theirs already. */
  onLost(listener: (lost: readonly Committed[]) => void): void {
    this.#flushing.onLost.push(listener);
  }

  /** Judges an action of a client; what it decides becomes visible with the next flush. */
  dispatch(sender: Subscriber, uri: URI, clientSeq: number, action: StateAction): Verdict {
    const origin = { clientId: sender.clientId, clientSeq };
    try {
      return this.#judged(sender, uri, origin, action);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#reject(sender, uri, action, origin, error.message); // what is stored of the session cannot be read
      return { kind: 'reject', reason: error.message };
    }
  }

  #judged(sender: Subscriber, uri: URI, origin: ActionOrigin, action: StateAction): Verdict {
    const channel = this.channels.load(uri);
    if (!channel) return { kind: 'ignore' }; // what there is not hears nothing, and says nothing (B-61)
    const verdict = this.#judge.decide(sender, channel, action);
    if (verdict.kind === 'accept') this.#applying.apply(channel, action, origin, sender);
    if (verdict.kind === 'reject') {
      this.#reject(sender, uri, action, origin, verdict.reason);
      if (verdict.instead) this.#applying.apply(channel, verdict.instead, undefined);
    }
    return verdict;
  }

  /** Tells a client that its action is not accepted, before any rule had to be asked. */
  refuse(sender: Subscriber, uri: URI, clientSeq: number, action: StateAction, reason: string): void {
    if (!this.channels.has(uri)) return; // as above (B-61)
    this.#reject(sender, uri, action, { clientId: sender.clientId, clientSeq }, reason);
  }

  /**
   * Changes the state of a channel in the host's own name, or in that of the client whose action was held back. Nothing
   * happens to a channel that has ended meanwhile: who works for it may not have heard yet.
   */
  commit<K extends ChannelKind>(channel: Channel<K>, action: ActionOf<K>, origin?: ActionOrigin): void {
    if (this.isOpen(channel)) this.#applying.apply(channel, action as StateAction, origin);
    else if (this.#unloaded.has(channel)) this.#onUnheard(channel.uri, action.type);
  }

  /** The same for many actions in a row from which nothing follows; each is told by itself. */
  commitAll(channel: Channel<'changeset'>, actions: readonly ActionOf<'changeset'>[]): void {
    if (this.isOpen(channel) && actions.length > 0) this.#applying.applyAll(channel, actions);
  }

  #reject(to: Subscriber, channel: URI, action: StateAction, origin: ActionOrigin, reason: string): void {
    this.#tick.use().messages.push({ to, ...rejection(this.#sequence, { channel, action, origin }, reason) });
  }

  /** Whether this is still the channel of its URI: it has neither ended nor left memory. */
  isOpen(channel: Channel): boolean {
    return this.channels.peek(channel.uri) === channel;
  }

  /** Opens a durable channel; it exists from the next flush on. */
  open<K extends ChannelKind>(uri: URI, kind: K, session: URI, state: ChannelStates[K]): Channel<K> {
    const channel = this.channels.add(uri, kind, session, state);
    const tick = this.#tick.use();
    tick.undo.push(() => this.channels.forget(uri));
    keepSnapshot(tick, channel as unknown as Channel, this.serverSeq);
    return channel;
  }

  /** Opens a channel that lives in memory only, for one client or for all. */
  openEphemeral<K extends ChannelKind>(
    uri: URI,
    kind: K,
    state: ChannelStates[K],
    replayableFrom?: number,
    owner?: string,
  ): Channel<K> {
    return this.channels.addEphemeral(uri, kind, state, replayableFrom ?? this.serverSeq, owner);
  }

  /** Forgets some of what a channel that is not stored has shown: whoever comes later sees less, nobody else anything. */
  trim<K extends ChannelKind>(channel: Channel<K>, trim: (state: ChannelStates[K]) => ChannelStates[K]): void {
    if (channel.keeping.kind === 'ring') channel.state = trim(channel.state);
  }

  /** Ends a channel: its subscribers still get what this tick has for them, then they are dropped. */
  end(channel: Channel): void {
    this.#leave(channel);
    keepRemoval(this.#tick.use(), channel);
  }

  /** Marks a stored session as disposed; its channels leave memory but keep their data. */
  dispose(session: URI, channels: readonly Channel[]): void {
    const tick = this.#tick.use();
    for (const channel of channels) {
      this.#leave(channel);
      keepUnsettled(tick, channel, false);
    }
    this.#board.forget(session);
    tick.dispose(session, tick.time);
  }

  /** Brings a disposed session back: from the next flush on its channels are there as they were when it ended. */
  restore(session: URI, stored: readonly DisposedChannel[]): readonly Channel[] {
    const channels = stored.map((channel) => fromStore(channel.uri, channel)); // a damaged one throws before any is back
    const tick = this.#tick.use();
    for (const channel of channels) {
      this.channels.restore(channel);
      tick.undo.push(() => this.channels.forget(channel.uri));
      if (isUnsettled(channel.kind, channel.state)) keepUnsettled(tick, channel, true);
    }
    tick.dispose(session, undefined);
    return channels;
  }

  /** Takes a session out of memory; what its log says since the last snapshot is folded into a new one. */
  unload(session: URI, channels: readonly Channel[]): void {
    for (const channel of channels) {
      const { uri, keeping } = channel;
      this.channels.forget(uri);
      this.#unloaded.add(channel);
      if (keeping.kind !== 'durable' || keeping.unsaved === 0) continue;
      keepSnapshot(this.#tick.use(), channel);
      this.afterwards(() => this.#store.channels.trim(uri, REPLAY_BYTES));
    }
    this.#board.forget(session);
  }

  #leave(channel: Channel): void {
    this.#tick.current.ended.add(channel.uri);
    this.channels.forget(channel.uri);
    this.#tick.current.undo.push(() => this.channels.restore(channel));
  }

  notify<M extends keyof ServerNotificationMap>(method: M, params: ServerNotificationMap[M]['params']): void {
    this.#tick.use().messages.push({ to: params.channel, ...noticeMessage(method, params) });
  }

  /** Notifies one subscriber alone, whatever it is subscribed to. */
  tell<M extends keyof ServerNotificationMap>(
    to: Subscriber,
    method: M,
    params: ServerNotificationMap[M]['params'],
  ): void {
    this.#tick.use().messages.push({ to, ...noticeMessage(method, params) });
  }

  /** Tells root subscribers of a session that now exists, and lists it from then on. */
  announceSession(session: Channel<'session'>): void {
    const announcement = this.#board.introduce(session);
    keepSummary(this.#tick.use(), announcement);
    this.notify('root/sessionAdded', { channel: ROOT_URI, summary: announcement.summary });
  }

  /** Runs once what is decided so far has been stored and sent. */
  afterwards(run: () => void): void {
    this.#tick.use().afterwards.push(run);
  }

  /** A snapshot of a channel as JSON text; settle first, so that it shows nothing that could still be taken back. */
  snapshot(channel: Channel, resource = channel.uri): string {
    return snapshotText({ resource, state: this.present(channel), fromSeq: this.serverSeq });
  }

  /** The state of a channel as a snapshot shows it. */
  present<K extends ChannelKind>(channel: Channel<K>): ChannelStates[K];
  present(channel: Channel): Snapshot['state'] {
    if (isKind(channel, 'session')) return { ...channel.state, summary: this.#board.summaryOf(channel) };
    if (isKind(channel, 'chat')) return presentChat(channel.state, this.channels.sessionOf(channel)?.state);
    return channel.state;
  }

  /** Stores, sends and acts upon everything since the last flush. Throws when it cannot be stored: then it is undone. */
  flush(): void {
    if (!this.#tick.current.isEmpty) this.#flushing.flush(this.#tick.take());
  }

  /** Flushes until nothing is left, also of what effects decided. What cannot be stored is undone: that is settled too. */
  settle(): void {
    while (!this.#tick.current.isEmpty) {
      try {
        this.flush();
      } catch (error) {
        this.#onStoreError(error);
      }
    }
  }
}

/** What is kept of a channel's log beyond what loading needs, for clients that come back late. */
const REPLAY_BYTES = 4 * 1024 * 1024;
