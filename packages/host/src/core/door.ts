import {
  type ActionEnvelope,
  type ActionOf,
  type ActionOrigin,
  type ChannelKind,
  type ChannelStates,
  ROOT_URI,
  type ServerNotificationMap,
  type Snapshot,
  type StateAction,
  type SubscribeView,
  type URI,
} from '@moorage/protocol';
import type { DisposedChannel, Store } from '../ports/store.js';
import { Applying, withHostTime } from './applying.js';
import { type BroughtChannel, type Channel, isKind } from './channel.js';
import { ChannelTable } from './channel-table.js';
import { actionFrame, encodeEnvelope, noticeMessage, type Subscriber, Subscriptions } from './delivery.js';
import { Documents } from './documents.js';
import { Flushing, type TimedCommits } from './flushing.js';
import type { IfLost } from './if-lost.js';
import { isFull, isUnsettled, keepRemoval, keepSnapshot, keepSummary, keepUnsettled } from './keeping.js';
import { rejection } from './rejections.js';
import { Judge, type Verdict } from './rules/index.js';
import { Sequence } from './sequence.js';
import { snapshotText } from './snapshot-text.js';
import { fromStore } from './stored-channel.js';
import { presentChat, SummaryBoard } from './summary.js';
import { OpenTick } from './tick.js';
import { newestTurns } from './turn-pages.js';
import { type RetryClock, Unstored } from './unstored.js';
import { NOT_WIRED, type Wiring } from './wiring.js';

export interface DoorOptions {
  readonly store: Store;
  readonly timed?: TimedCommits;
  readonly clock: RetryClock;
  /**
   * How many serverSeqs an action on a state takes: for other protocol versions it may become several envelopes, each with
   * its own.
   */
  readonly numbersFor: (action: StateAction, before: unknown) => number;
  /** Called whenever there is something to store and send; must lead to a call of `flush` soon. */
  readonly schedule: () => void;
  readonly onEffectError: (error: unknown) => void;
  /** A tick could not be stored during `settle`. It has been undone and its senders have got rejections. */
  readonly onStoreError: (error: unknown) => void;
  /** An action was committed to a channel that had left memory, and is lost. A bug: busy sessions must stay in memory. */
  readonly onDropped: (channel: URI, action: string) => void;
}

/**
 * The one door: every change of what a client can see goes through here, in this order: rules, reduce, number, store,
 * send, effects. Changes collect in a tick between two flushes; none is sent before it is stored.
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
  readonly #unstored: Unstored;
  #prepare = NOT_WIRED.prepare;
  readonly #onStoreError: (error: unknown) => void;
  readonly #onDropped: DoorOptions['onDropped'];
  /** Channels that left memory, to tell a commit to them (a bug) from one to a channel that has ended. */
  readonly #unloaded = new WeakSet<object>();

  constructor(options: DoorOptions) {
    const { store, clock, numbersFor, schedule, onEffectError, onStoreError, onDropped } = options;
    const tick = new OpenTick(() => clock.now(), schedule);
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
    this.#onDropped = onDropped;
    this.#judge = new Judge(channels);
    const trimLog = (uri: URI) => store.channels.trim(uri, REPLAY_BYTES);
    this.#applying = new Applying({ tick, sequence, numbersFor, channels, board, documents, trimLog, onEffectError });
    const commit = this.commit.bind(this);
    const unstored = new Unstored({ clock, channels, documents, commit, onError: onEffectError });
    this.#unstored = unstored;
    this.#flushing = new Flushing({
      store,
      timed: options.timed,
      sequence,
      subscriptions: this.subscriptions,
      unstored,
      onEffectError,
    });
  }

  get serverSeq(): number {
    return this.#sequence.last;
  }

  /** Connects the door to the rest of the host, before the first flush. */
  connect(wiring: Partial<Wiring>): void {
    const wired = { ...NOT_WIRED, ...wiring };
    this.#flushing.wiring = wired;
    this.subscriptions.wiring = wired;
    this.documents.follow(wired.documents);
    this.channels.openMissing = wired.openMissing;
    this.#judge.missingTokens = wired.missingTokens;
    this.#judge.foldersProblem = wired.foldersProblem;
    this.#judge.automationProblem = wired.automationProblem;
    this.#applying.consequences = wired.consequences;
    this.#judge.authorize = wired.authorize;
    this.#board.isUnlisted = wired.isUnlisted;
    this.#prepare = wired.prepare;
  }

  /** Whether the channel has grown as large as one may be. Clients can still cancel, confirm, truncate and remove. */
  isFull(channel: Channel): boolean {
    return isFull(channel);
  }

  /** Judges a client's action and applies it if accepted. The outcome is sent with the next flush. */
  dispatch(sender: Subscriber, uri: URI, clientSeq: number, action: StateAction): Verdict {
    const origin = { clientId: sender.clientId, clientSeq };
    const channel = this.channels.load(uri);
    if (!channel) return { kind: 'ignore' }; // dispatches to unknown channels get no answer (B-61)
    const verdict = this.#judge.decide(sender, channel, action);
    if (verdict.kind === 'accept') {
      const applied = withHostTime(this.#prepare(channel, verdict.applied ?? action, sender), this.#tick.use().time);
      this.#applying.apply(channel, applied, origin, sender);
      return applied === action ? verdict : { ...verdict, applied };
    }
    if (verdict.kind === 'confirm') this.#applying.confirm(channel, action, origin, sender);
    if (verdict.kind === 'reject') {
      this.#reject(sender, uri, action, origin, verdict.reason);
      if (verdict.instead) this.#applying.apply(channel, verdict.instead, undefined);
    }
    return verdict;
  }

  /** Rejects a client's action without consulting the rules. */
  refuse(sender: Subscriber, uri: URI, clientSeq: number, action: StateAction, reason: string): void {
    if (!this.channels.has(uri)) return; // dispatches to unknown channels get no answer (B-61)
    this.#reject(sender, uri, action, { clientId: sender.clientId, clientSeq }, reason);
  }

  /**
   * Applies an action of the host itself; `ifLost` says how to decide it again. Does nothing if the channel has ended
   * meanwhile: a service may still be working for it without knowing.
   */
  commit<K extends ChannelKind>(channel: Channel<K>, action: ActionOf<K>, ifLost?: IfLost<K>): void {
    if (!this.isOpen(channel)) {
      if (this.#unloaded.has(channel)) this.#onDropped(channel.uri, action.type);
      return;
    }
    if (this.#unstored.isFailing && this.#unstored.holdBack(channel, action as StateAction)) return;
    this.#applying.apply(channel, action as StateAction);
    if (ifLost) this.#tick.current.addIfLost(channel, ifLost as unknown as IfLost);
  }

  /** Like `commit` for many changeset actions, which have no consequences. Each still gets its own envelope. */
  commitAll(
    channel: Channel<'changeset'>,
    actions: readonly ActionOf<'changeset'>[],
    ifLost?: IfLost<'changeset'>,
  ): void {
    if (!this.isOpen(channel) || actions.length === 0) return;
    this.#applying.applyAll(channel, actions);
    if (ifLost) this.#tick.current.addIfLost(channel, ifLost as unknown as IfLost);
  }

  #reject(to: Subscriber, channel: URI, action: StateAction, origin: ActionOrigin, reason: string): void {
    this.#tick.use().messages.push({ to, ...rejection(this.#sequence, { channel, action, origin }, reason) });
  }

  /** Whether this object is still the channel of its URI: it has neither ended nor left memory. */
  isOpen(channel: Channel): boolean {
    return this.channels.peek(channel.uri) === channel;
  }

  /** Opens a durable channel. It is stored with the next flush, and gone again if that fails. */
  open<K extends ChannelKind>(uri: URI, kind: K, session: URI, state: ChannelStates[K]): Channel<K> {
    const channel = this.channels.add(uri, kind, session, state);
    const tick = this.#tick.use();
    tick.undo.push(() => this.channels.forget(uri));
    keepSnapshot(tick, channel as unknown as Channel, this.serverSeq);
    return channel;
  }

  /**
   * Opens a channel that lives in memory only, for all clients or only for its `owner`. Clients that have seen
   * `replayableFrom` (default: the current serverSeq) or later can resume by replay.
   */
  openEphemeral<K extends ChannelKind>(
    uri: URI,
    kind: K,
    state: ChannelStates[K],
    replayableFrom?: number,
    owner?: string,
  ): Channel<K> {
    return this.channels.addEphemeral(uri, kind, state, replayableFrom ?? this.serverSeq, owner);
  }

  /**
   * Drops part of the state of a channel that is not stored. Only later snapshots show less: subscribers are not told, and
   * keep what they have.
   */
  trim<K extends ChannelKind>(channel: Channel<K>, trim: (state: ChannelStates[K]) => ChannelStates[K]): void {
    if (channel.keeping.kind === 'ring') channel.state = trim(channel.state);
  }

  /** Takes a channel that is not stored out of memory, because nobody watches it any more. */
  discard(uri: URI): void {
    if (this.channels.peek(uri)?.keeping.kind === 'ring') this.channels.forget(uri);
  }

  /** Ends a channel. Its subscribers still get the messages of this tick, and are then dropped. */
  end(channel: Channel): void {
    this.#leave(channel);
    keepRemoval(this.#tick.use(), channel);
  }

  /** Marks a stored session as disposed. Its channels leave memory, but their data stays in the store. */
  dispose(session: URI, channels: readonly Channel[]): void {
    const tick = this.#tick.use();
    for (const channel of channels) {
      this.#leave(channel);
      keepUnsettled(tick, channel, false);
    }
    this.#board.forget(session);
    tick.dispose(session, tick.time);
  }

  /** Brings a disposed session back, with its channels as they were when it ended. Stored with the next flush. */
  restore(session: URI, stored: readonly DisposedChannel[]): readonly Channel[] {
    const channels = stored.map((channel) => fromStore(channel.uri, channel)); // throws for a damaged one before any is added
    const tick = this.#tick.use();
    for (const channel of channels) {
      this.channels.restore(channel);
      tick.undo.push(() => this.channels.forget(channel.uri));
      if (isUnsettled(channel.kind, channel.state)) keepUnsettled(tick, channel, true);
    }
    tick.dispose(session, undefined);
    return channels;
  }

  /**
   * Opens the channels of a session that another host had. One that was disposed here before is replaced; its data may be
   * that of a session that has moved away.
   */
  bring(session: URI, brought: readonly BroughtChannel[]): readonly Channel[] {
    const opened = brought.map(({ uri, kind, state }) => this.open(uri, kind, session, state as never) as Channel);
    if (this.#store.channels.exists(session)) this.#tick.use().dispose(session, undefined);
    return opened;
  }

  /**
   * Takes sessions with their channels out of memory, and stores what is pending before one of them can be loaded again.
   * Channels with log entries since their last snapshot get a new snapshot.
   */
  unload(sessions: readonly (readonly [URI, readonly Channel[]])[]): void {
    for (const [session, channels] of sessions) this.#unload(session, channels);
    this.settle();
  }

  #unload(session: URI, channels: readonly Channel[]): void {
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

  /** Takes an ending channel out of memory; it returns if the tick cannot be stored. */
  #leave(channel: Channel): void {
    this.#tick.current.ended.add(channel.uri);
    this.channels.forget(channel.uri);
    this.#tick.current.undo.push(() => this.channels.restore(channel));
  }

  /** Sends a notification to all subscribers of its channel. */
  notify<M extends keyof ServerNotificationMap>(method: M, params: ServerNotificationMap[M]['params']): void {
    this.#tick.use().messages.push({ to: params.channel, ...noticeMessage(method, params) });
  }

  /** Sends a notification to one subscriber only, whether or not it is subscribed to the channel. */
  notifyOne<M extends keyof ServerNotificationMap>(
    to: Subscriber,
    method: M,
    params: ServerNotificationMap[M]['params'],
  ): void {
    this.#tick.use().messages.push({ to, ...noticeMessage(method, params) });
  }

  /** Sends an action to one subscriber alone: it shows more of the state, and changes nothing. It is not replayed. */
  show<K extends ChannelKind>(to: Subscriber, channel: Channel<K>, action: ActionOf<K>): void {
    const tick = this.#tick.use();
    const envelope: ActionEnvelope = {
      channel: channel.uri,
      action: action as StateAction,
      serverSeq: this.#sequence.next(),
    };
    tick.messages.push({ to, frame: actionFrame(encodeEnvelope(envelope)), envelope });
  }

  /** Adds a session to the list of sessions and announces it to root subscribers. */
  announceSession(session: Channel<'session'>): void {
    const announcement = this.#board.introduce(session);
    keepSummary(this.#tick.use(), announcement);
    this.notify('root/sessionAdded', { channel: ROOT_URI, summary: announcement.summary });
  }

  /** Runs a function once everything decided so far has been stored and sent. It does not run if the store fails. */
  afterwards(run: () => void): void {
    this.#tick.use().afterwards.push(run);
  }

  /** Resolves once everything decided so far has been stored and sent; rejects with the store's error if it is undone. */
  stored(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { afterwards, onFailed } = this.#tick.use();
      afterwards.push(resolve);
      onFailed.push(reject);
    });
  }

  /** A snapshot of a channel as JSON text. Call `settle` first: unstored changes could still be undone. */
  snapshot(channel: Channel, resource = channel.uri, view: SubscribeView = {}): string {
    return snapshotText({ resource, state: this.presentView(channel, view), fromSeq: this.serverSeq });
  }

  /** The state of a channel as a snapshot shows it. */
  present<K extends ChannelKind>(channel: Channel<K>): ChannelStates[K];
  present(channel: Channel): Snapshot['state'] {
    if (isKind(channel, 'session')) {
      const { status, annotations } = this.#board.summaryOf(channel);
      return { ...channel.state, status, ...(annotations && { annotations }) };
    }
    if (isKind(channel, 'chat')) return presentChat(channel.state, this.channels.sessionOf(channel)?.state);
    return channel.state;
  }

  /** Like `present`, with as much of it as the subscriber wants to see. */
  presentView<K extends ChannelKind>(channel: Channel<K>, view: SubscribeView): ChannelStates[K];
  presentView(channel: Channel, { turns }: SubscribeView): Snapshot['state'] {
    const state = this.present(channel);
    return turns !== undefined && 'turns' in state ? newestTurns(state, turns) : state;
  }

  /** Stores and sends the open tick and runs its effects. Throws when the tick cannot be stored; it is then undone. */
  flush(): void {
    if (!this.#tick.current.isEmpty) this.#flushing.flush(this.#tick.take());
  }

  /** Flushes until nothing is pending, including what effects add. Never throws: a tick that cannot be stored is undone. */
  settle(): void {
    while (!this.#tick.current.isEmpty) {
      try {
        this.flush();
      } catch (error) {
        this.#onStoreError(error);
      }
    }
  }

  /** Settles for the last time, because the host stops: from then on nothing is tried again. */
  close(): void {
    this.settle();
    this.#unstored.close();
    this.settle();
  }
}

/** Bytes of log kept per channel beyond what loading needs, for replay to clients that reconnect late. */
const REPLAY_BYTES = 4 * 1024 * 1024;
