import {
  type ActionEnvelope,
  type ActionOf,
  type ActionOrigin,
  type ChannelKind,
  type ChannelStates,
  ROOT_URI,
  reduce,
  reduceAll,
  type ServerNotificationMap,
  type SessionState,
  type Snapshot,
  type StateAction,
  type URI,
} from '@ahpd/protocol';
import {
  type DisposedChannel,
  type DocumentCollection,
  type DocumentPut,
  type Store,
  StoreError,
} from '../ports/store.js';
import { type Channel, isKind } from './channel.js';
import { ChannelTable } from './channel-table.js';
import { chatConsequences, sessionConsequences } from './consequences.js';
import { Flushing } from './flushing.js';
import { actionFrame, encodeEnvelope, notificationFrame } from './frames.js';
import { Judge, type MissingTokens } from './judge.js';
import { keepAction, keepRemoval, keepSnapshot, keepSummary, keepUnsettled } from './keeping.js';
import { rejection } from './rejections.js';
import type { Verdict } from './rules/index.js';
import { Sequence } from './sequence.js';
import { snapshotText } from './snapshot-text.js';
import { fromStore } from './stored-channel.js';
import type { Subscriber } from './subscriber.js';
import { Subscriptions } from './subscriptions.js';
import { presentChat } from './summary.js';
import { SummaryBoard } from './summary-board.js';
import { type Committed, Tick } from './tick.js';
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

/** An action that has just changed its channel. */
interface Change<K extends ChannelKind> {
  readonly channel: Channel<K>;
  readonly action: ActionOf<K>;
  readonly before: ChannelStates[K];
  /** Whose it is, if not the host's own. */
  readonly origin: ActionOrigin | undefined;
}

interface Applied {
  readonly action: StateAction;
  readonly before: unknown;
  readonly origin?: ActionOrigin | undefined;
  readonly sender?: Subscriber | undefined;
  readonly session?: Channel<'session'> | undefined;
}

/**
 * The one door: every change of what a client can see goes through here, in this order: rules, reduce, number, store,
 * send, effects. Between two flushes changes gather in a tick; nobody is told of them before they are stored.
 */
export class Door {
  readonly subscriptions = new Subscriptions();
  readonly channels: ChannelTable;
  readonly #store: Store;
  readonly #now: () => number;
  readonly #numbersFor: (action: StateAction) => number;
  readonly #schedule: () => void;
  readonly #sequence: Sequence;
  readonly #board: SummaryBoard;
  readonly #judge: Judge;
  readonly #flushing: Flushing;
  readonly #onStoreError: (error: unknown) => void;
  readonly #onUnheard: DoorOptions['onUnheard'];
  readonly #documents = new Map<ChannelKind, ((change: never) => DocumentPut | undefined)[]>();
  readonly #unloaded = new WeakSet<object>();
  #tick: Tick;

  constructor(options: DoorOptions) {
    const { store, now, numbersFor, schedule, onEffectError, onStoreError, onUnheard } = options;
    this.#store = store;
    this.#now = now;
    this.#tick = new Tick(now);
    this.#numbersFor = numbersFor;
    this.#schedule = schedule;
    this.#sequence = new Sequence(store.header.seqCeiling);
    this.#onStoreError = onStoreError;
    this.#onUnheard = onUnheard;
    this.channels = new ChannelTable(store, (uri) => this.#tick.ended.has(uri));
    this.#board = new SummaryBoard(this.channels);
    const { subscriptions } = this;
    this.#flushing = new Flushing({ store, sequence: this.#sequence, subscriptions, onEffectError });
    this.#judge = new Judge(this.channels);
  }

  get serverSeq(): number {
    return this.#sequence.last;
  }

  /** Effects see every committed action once it is stored and sent. They change state only through the door. */
  onCommitted(effect: (committed: Committed) => void): void {
    this.#flushing.effects.push(effect);
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
    if (verdict.kind === 'accept') this.#apply(channel, action, origin, sender);
    if (verdict.kind === 'reject') {
      this.#reject(sender, uri, action, origin, verdict.reason);
      if (verdict.instead) this.#apply(channel, verdict.instead, undefined);
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
    if (this.isOpen(channel)) this.#apply(channel, action as StateAction, origin);
    else if (this.#unloaded.has(channel)) this.#onUnheard(channel.uri, action.type);
  }

  /**
   * The same for many actions in a row from which nothing follows. Each is told by itself; the states in between, of which
   * each would be a list of all files, are made for nobody.
   */
  commitAll(channel: Channel<'changeset'>, actions: readonly ActionOf<'changeset'>[]): void {
    if (!this.isOpen(channel) || actions.length === 0) return;
    const before = this.#reduce(channel, (state) =>
      reduceAll('changeset', state as ChannelStates['changeset'], actions, { now: () => this.#tick.time }),
    );
    for (const action of actions) this.#record(channel, { action, before });
    this.#schedule();
  }

  #apply(channel: Channel, action: StateAction, origin?: ActionOrigin, sender?: Subscriber): void {
    const session = this.channels.sessionOf(channel);
    if (session) this.#board.remember(session);
    const before = this.#reduce(channel, (state) =>
      reduce(channel.kind, state as never, action as never, { now: () => this.#tick.time }),
    );
    this.#record(channel, { action, before, origin, sender, session });
    for (const documentOf of this.#documents.get(channel.kind) ?? []) {
      const document = documentOf({ channel, action, before, origin } as never);
      if (document) this.#tick.putDocument(document);
    }
    if (session) this.#follow(channel, action, before, session);
    this.#schedule();
  }

  /** Gives a channel its next state, and gives back the last one. */
  #reduce(channel: Channel, next: (state: unknown) => unknown): unknown {
    const { state: before, seq } = channel;
    channel.state = next(before) as never;
    this.#tick.undo.push(() => {
      channel.state = before;
      channel.seq = seq;
    });
    return before;
  }

  /** Numbers an action that made the state what it is, and remembers it for those who are to be told. */
  #record(channel: Channel, { action, before, origin, sender, session }: Applied): void {
    const seq = this.#sequence.next(this.#numbersFor(action));
    channel.seq = seq;
    const envelope: ActionEnvelope = { channel: channel.uri, action, serverSeq: seq, ...(origin && { origin }) };
    const json = encodeEnvelope(envelope);
    keepAction(this.#tick, channel, action, seq, json);
    const effect = { kind: channel.kind, before, after: channel.state, session: session?.state };
    this.#tick.messages.push({ to: channel.uri, frame: actionFrame(json), envelope, effect });
    this.#tick.committed.push({ channel, action, origin, sender, before, after: channel.state });
  }

  /** What must be stored together with the action: the session's catalogue, its summary, what a restart must settle. */
  #follow(channel: Channel, action: StateAction, before: unknown, session: Channel<'session'>): void {
    const unsettled = isUnsettled(channel.kind, channel.state);
    if (unsettled !== isUnsettled(channel.kind, before)) keepUnsettled(this.#tick, channel, unsettled);
    if (isKind(channel, 'chat')) {
      for (const next of chatConsequences(channel.state, action as ActionOf<'chat'>, session.state)) {
        this.#apply(session, next);
      }
      return;
    }
    if (isKind(channel, 'session')) {
      // The log does not keep the time of an action, so where a session keeps its own, the state is stored with it.
      const isTimed = channel.state.summary.modifiedAt !== (before as SessionState).summary.modifiedAt;
      if (isTimed) keepSnapshot(this.#tick, channel);
      for (const next of sessionConsequences(action as ActionOf<'session'>, channel.state)) this.#apply(channel, next);
    }
    const announcement = this.#board.announce(session);
    if (!announcement) return;
    keepSummary(this.#tick, announcement);
    const { changes } = announcement;
    this.notify('root/sessionSummaryChanged', { channel: ROOT_URI, session: session.uri, changes });
  }

  #reject(to: Subscriber, channel: URI, action: StateAction, origin: ActionOrigin, reason: string): void {
    this.#tick.messages.push({ to, ...rejection(this.#sequence, { channel, action, origin }, reason) });
    this.#schedule();
  }

  /** Whether this is still the channel of its URI: it has neither ended nor left memory. */
  isOpen(channel: Channel): boolean {
    return this.channels.peek(channel.uri) === channel;
  }

  /** Opens a durable channel; it exists from the next flush on. */
  open<K extends ChannelKind>(uri: URI, kind: K, session: URI, state: ChannelStates[K]): Channel<K> {
    const channel = this.channels.add(uri, kind, session, state);
    this.#tick.undo.push(() => this.channels.forget(uri));
    keepSnapshot(this.#tick, channel as unknown as Channel, this.serverSeq);
    this.#schedule();
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
    keepRemoval(this.#tick, channel);
    this.#schedule();
  }

  /** Marks a stored session as disposed; its channels leave memory but keep their data. */
  dispose(session: URI, channels: readonly Channel[]): void {
    for (const channel of channels) {
      this.#leave(channel);
      keepUnsettled(this.#tick, channel, false);
    }
    this.#board.forget(session);
    this.#tick.dispose(session, this.#tick.time);
    this.#schedule();
  }

  /** Brings a disposed session back: from the next flush on its channels are there as they were when it ended. */
  restore(session: URI, stored: readonly DisposedChannel[]): readonly Channel[] {
    const channels = stored.map((channel) => fromStore(channel.uri, channel)); // a damaged one throws before any is back
    for (const channel of channels) {
      this.channels.restore(channel);
      this.#tick.undo.push(() => this.channels.forget(channel.uri));
      if (isUnsettled(channel.kind, channel.state)) keepUnsettled(this.#tick, channel, true);
    }
    this.#tick.dispose(session, undefined);
    this.#schedule();
    return channels;
  }

  /** Takes a session out of memory; what its log says since the last snapshot is folded into a new one. */
  unload(session: URI, channels: readonly Channel[]): void {
    for (const channel of channels) {
      const { uri, keeping } = channel;
      this.channels.forget(uri);
      this.#unloaded.add(channel);
      if (keeping.kind !== 'durable' || keeping.unsaved === 0) continue;
      keepSnapshot(this.#tick, channel);
      this.afterwards(() => this.#store.channels.trim(uri, REPLAY_BYTES));
    }
    this.#board.forget(session);
  }

  #leave(channel: Channel): void {
    this.#tick.ended.add(channel.uri);
    this.channels.forget(channel.uri);
    this.#tick.undo.push(() => this.channels.restore(channel));
  }

  /** What must be known of actions on channels of a kind beyond their state: stored with the action, or not at all. */
  storeWith<K extends ChannelKind>(kind: K, document: (change: Change<K>) => DocumentPut | undefined): void {
    const known = this.#documents.get(kind) ?? [];
    this.#documents.set(kind, [...known, document]);
  }

  /** The JSON text of a document as it will be stored, or is; what could not be stored is not there any more. */
  document(collection: DocumentCollection, key: string): string | undefined {
    const put = this.#tick.documentPut(collection, key);
    return put ? put.json : this.#store.documents.read(collection, key);
  }

  putDocument(put: DocumentPut): void {
    this.#tick.putDocument(put);
    this.#schedule();
  }

  notify<M extends keyof ServerNotificationMap>(method: M, params: ServerNotificationMap[M]['params']): void {
    const notice = { method, params };
    this.#tick.messages.push({ to: params.channel, frame: notificationFrame(method, params), notice });
    this.#schedule();
  }

  /** Notifies one subscriber alone, whatever it is subscribed to. */
  tell<M extends keyof ServerNotificationMap>(
    to: Subscriber,
    method: M,
    params: ServerNotificationMap[M]['params'],
  ): void {
    this.#tick.messages.push({ to, frame: notificationFrame(method, params), notice: { method, params } });
    this.#schedule();
  }

  /** Tells root subscribers of a session that now exists, and lists it from then on. */
  announceSession(session: Channel<'session'>): void {
    const announcement = this.#board.introduce(session);
    keepSummary(this.#tick, announcement);
    this.notify('root/sessionAdded', { channel: ROOT_URI, summary: announcement.summary });
  }

  /** Runs once what is decided so far has been stored and sent. */
  afterwards(run: () => void): void {
    this.#tick.afterwards.push(run);
    this.#schedule();
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
    if (this.#tick.isEmpty) return;
    const tick = this.#tick;
    this.#tick = new Tick(this.#now);
    this.#flushing.flush(tick);
  }

  /** Flushes until nothing is left, also of what effects decided. What cannot be stored is undone: that is settled too. */
  settle(): void {
    while (!this.#tick.isEmpty) {
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
