import {
  type ActionEnvelope,
  type ActionOf,
  type ActionOrigin,
  type ChannelKind,
  type ChannelStates,
  ROOT_URI,
  reduce,
  type ServerNotificationMap,
  type SessionState,
  SessionStatus,
  type Snapshot,
  type StateAction,
  type URI,
} from '@ahpd/protocol';
import { type DocumentPut, type Store, StoreError } from '../ports/store.js';
import { type Channel, isKind } from './channel.js';
import { ChannelTable } from './channel-table.js';
import { chatConsequences, sessionConsequences } from './consequences.js';
import { deliverTick } from './delivery.js';
import { actionFrame, encodeEnvelope, notificationFrame } from './frames.js';
import { judge, type Verdict } from './rules/index.js';
import { Sequence } from './sequence.js';
import { snapshotText } from './snapshot-text.js';
import { Delivery, type Subscriber } from './subscriber.js';
import { Subscriptions } from './subscriptions.js';
import { presentChat } from './summary.js';
import { type Announcement, SummaryBoard } from './summary-board.js';
import { type Committed, Tick } from './tick.js';
import { isUnsettled } from './unsettled.js';

export interface DoorOptions {
  readonly store: Store;
  readonly now: () => number;
  /** How many numbers an action takes; clients may be told of it in several pieces, each with its own. */
  readonly numbersFor?: (action: StateAction) => number;
  /** Asks for a call of `flush` soon: there is something to store and send. */
  readonly schedule: () => void;
  readonly onEffectError: (error: unknown) => void;
  /** What could not be stored is undone, and its senders know; nobody else is told. */
  readonly onStoreError: (error: unknown) => void;
  /** Protected resources that a session's agent cannot work without, and that a client has no token for. */
  readonly missingTokens?: (sender: Subscriber, session: SessionState) => readonly string[];
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
  readonly #onEffectError: (error: unknown) => void;
  readonly #onStoreError: (error: unknown) => void;
  readonly #missingTokens: (sender: Subscriber, session: SessionState) => readonly string[];
  readonly #effects: ((committed: Committed) => void)[] = [];
  readonly #openers: ((uri: URI) => Channel | undefined)[] = [];
  readonly #onLost: ((lost: readonly Committed[]) => void)[] = [];
  readonly #documents = new Map<URI, (before: unknown, after: unknown) => DocumentPut | undefined>();
  #isHolding: (session: URI) => boolean = () => false;
  #tick = new Tick();
  #time: number | undefined;

  constructor(options: DoorOptions) {
    const { store, now, numbersFor = () => 1, schedule, onEffectError, onStoreError, missingTokens } = options;
    this.#store = store;
    this.#now = now;
    this.#numbersFor = numbersFor;
    this.#schedule = schedule;
    this.#sequence = new Sequence(store.header.seqCeiling);
    this.#onEffectError = onEffectError;
    this.#onStoreError = onStoreError;
    this.#missingTokens = missingTokens ?? (() => []);
    this.channels = new ChannelTable(store);
    this.#board = new SummaryBoard(this.channels);
  }

  get serverSeq(): number {
    return this.#sequence.last;
  }

  /** Effects see every committed action once it is stored and sent. They change state only through the door. */
  onCommitted(effect: (committed: Committed) => void): void {
    this.#effects.push(effect);
  }

  /** Whoever keeps deferred actions says whether it has any of a session. */
  setHolding(isHolding: (session: URI) => boolean): void {
    this.#isHolding = isHolding;
  }

  /** Channels that exist only while somebody watches them: asked for one that is neither in memory nor stored. */
  onMissing(opener: (uri: URI) => Channel | undefined): void {
    this.#openers.push(opener);
  }

  /** The channel that a client wants to watch; one of another client is as good as none. */
  channelFor(uri: URI, clientId: string): Channel | undefined {
    const known = this.channels.load(uri);
    if (known) return known.owner === undefined || known.owner === clientId ? known : undefined;
    for (const opener of this.#openers) {
      const opened = opener(uri);
      if (opened) return opened;
    }
    return undefined;
  }

  /** The same among others: one that cannot be read must not keep a client from the rest. */
  channelIfReadable(uri: URI, clientId: string): Channel | undefined {
    try {
      return this.channelFor(uri, clientId);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#onEffectError(error);
      return undefined;
    }
  }

  /** Called with the actions that could not be stored and were taken back; clients know of theirs already. */
  onLost(listener: (lost: readonly Committed[]) => void): void {
    this.#onLost.push(listener);
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
    if (!channel) return { kind: 'ignore' }; // B-61
    const session = this.sessionOf(channel);
    const busy = this.isBusy(session) || this.#isHolding(uri); // what comes now must not overtake what is held
    const context = {
      clientId: sender.clientId,
      state: channel.state,
      session,
      busy,
      hasTurnElsewhere: (turnId: string) => this.#hasTurn(session, channel.uri, turnId),
      hasSession: (candidate: URI) => isKind(this.channels.load(candidate), 'session'),
      missingTokens: () => (session ? this.#missingTokens(sender, session) : []),
    };
    const verdict = judge(channel.kind, action, context);
    if (verdict.kind === 'accept') this.#apply(channel, action, origin, sender);
    if (verdict.kind === 'reject') {
      this.#reject(sender, uri, action, origin, verdict.reason);
      if (verdict.instead) this.#apply(channel, verdict.instead, undefined);
    }
    return verdict;
  }

  /** Whether a chat of the session other than this one has the turn, finished or not. */
  #hasTurn(session: SessionState | undefined, except: URI, turnId: string): boolean {
    return (session?.chats ?? []).some(({ resource }) => {
      const chat = resource === except ? undefined : this.channels.load(resource);
      if (!isKind(chat, 'chat')) return false;
      return chat.state.activeTurn?.id === turnId || chat.state.turns.some((turn) => turn.id === turnId);
    });
  }

  /** Tells a client that its action is not accepted, before any rule had to be asked. */
  refuse(sender: Subscriber, uri: URI, clientSeq: number, action: StateAction, reason: string): void {
    if (!this.#isKnown(uri)) return; // B-61
    this.#reject(sender, uri, action, { clientId: sender.clientId, clientSeq }, reason);
  }

  #isKnown(uri: URI): boolean {
    try {
      return this.channels.load(uri) !== undefined;
    } catch (error) {
      if (error instanceof StoreError) return true; // it is there, though it cannot be read
      throw error;
    }
  }

  /**
   * Changes the state of a channel in the host's own name, or in that of the client whose action was held back. Nothing
   * happens to a channel that has ended meanwhile: who works for it may not have heard yet.
   */
  commit<K extends ChannelKind>(channel: Channel<K>, action: ActionOf<K>, origin?: ActionOrigin): void {
    if (this.isOpen(channel)) this.#apply(channel, action as StateAction, origin);
  }

  /** Forgets some of what a channel that is not stored has shown: whoever comes later sees less, nobody else anything. */
  trim<K extends ChannelKind>(channel: Channel<K>, trim: (state: ChannelStates[K]) => ChannelStates[K]): void {
    if (channel.keeping.kind === 'ring') channel.state = trim(channel.state);
  }

  /** Whether this is still the channel of its URI: it has neither ended nor left memory. */
  isOpen(channel: Channel): boolean {
    return this.channels.peek(channel.uri) === channel;
  }

  /** Opens a durable channel; it exists from the next flush on. */
  open<K extends ChannelKind>(uri: URI, kind: K, session: URI, state: ChannelStates[K]): Channel<K> {
    const channel = this.channels.add(uri, kind, session, state);
    this.#tick.undo.push(() => this.channels.forget(uri));
    const snapshot = { seq: this.serverSeq, json: JSON.stringify(state) };
    this.#tick.putChannel({ uri, kind, session, unsettled: isUnsettled(kind, state), snapshot });
    this.#changed();
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

  /** Ends a channel: its subscribers still get what this tick has for them, then they are dropped. */
  end(channel: Channel): void {
    this.#tick.ended.add(channel.uri);
    this.channels.forget(channel.uri);
    this.#tick.undo.push(() => this.channels.restore(channel));
    if (channel.keeping.kind === 'durable') {
      const { session } = channel.keeping;
      this.#tick.putChannel({ uri: channel.uri, kind: channel.kind, session, unsettled: false, removed: true });
    }
    this.#changed();
  }

  /** Marks a stored session as disposed; its channels leave memory but keep their data. */
  dispose(session: URI, channels: readonly Channel[]): void {
    for (const channel of channels) {
      this.#tick.ended.add(channel.uri);
      this.channels.forget(channel.uri);
      this.#tick.undo.push(() => this.channels.restore(channel));
      this.#setUnsettled(channel, false);
    }
    this.#board.forget(session);
    this.#tick.dispose(session, this.#tickTime());
    this.#changed();
  }

  /** What of a channel in memory is durable: written with the action that changes it. */
  storeWith<K extends ChannelKind>(
    channel: Channel<K>,
    document: (before: ChannelStates[K], after: ChannelStates[K]) => DocumentPut | undefined,
  ): void {
    this.#documents.set(channel.uri, document as (before: unknown, after: unknown) => DocumentPut | undefined);
  }

  putDocument(put: DocumentPut): void {
    this.#tick.putDocument(put);
    this.#changed();
  }

  notify<M extends keyof ServerNotificationMap>(method: M, params: ServerNotificationMap[M]['params']): void {
    const notice = { method, params };
    this.#tick.messages.push({ to: params.channel, frame: notificationFrame(method, params), notice });
    this.#changed();
  }

  /** Notifies one subscriber alone, whatever it is subscribed to. */
  tell<M extends keyof ServerNotificationMap>(
    to: Subscriber,
    method: M,
    params: ServerNotificationMap[M]['params'],
  ): void {
    this.#tick.messages.push({ to, frame: notificationFrame(method, params), notice: { method, params } });
    this.#changed();
  }

  /** Tells root subscribers of a session that now exists, and lists it from then on. */
  announceSession(session: Channel<'session'>): void {
    const announcement = this.#board.introduce(session);
    this.#putSummary(announcement);
    this.notify('root/sessionAdded', { channel: ROOT_URI, summary: announcement.summary });
  }

  /** Takes a session out of memory; what its log says since the last snapshot is folded into a new one. */
  unload(session: URI, channels: readonly Channel[]): void {
    for (const channel of channels) {
      const { uri, keeping } = channel;
      this.channels.forget(uri);
      if (keeping.kind !== 'durable' || keeping.unsaved === 0) continue;
      this.#putSnapshot(channel);
      this.afterwards(() => this.#store.channels.trim(uri, REPLAY_BYTES));
    }
    this.#board.forget(session);
  }

  /** Runs once what is decided so far has been stored and sent. */
  afterwards(run: () => void): void {
    this.#tick.afterwards.push(run);
    this.#changed();
  }

  /** A snapshot of a channel as JSON text; settle first, so that it shows nothing that could still be taken back. */
  snapshot(channel: Channel, resource = channel.uri): string {
    return snapshotText({ resource, state: this.present(channel), fromSeq: this.serverSeq });
  }

  /** The state of a channel as a snapshot shows it. */
  present<K extends ChannelKind>(channel: Channel<K>): ChannelStates[K];
  present(channel: Channel): Snapshot['state'] {
    if (isKind(channel, 'session')) return { ...channel.state, summary: this.#board.summaryOf(channel) };
    if (isKind(channel, 'chat')) return presentChat(channel.state, this.sessionOf(channel));
    return channel.state;
  }

  /** Whether a turn is active in any chat of a session. */
  isBusy(session: SessionState | undefined): boolean {
    return session?.chats.some((chat) => (chat.status & SessionStatus.InProgress) !== 0) ?? false;
  }

  sessionOf(channel: Channel): SessionState | undefined {
    return this.#sessionChannelOf(channel)?.state;
  }

  /** Root and other channels that are not stored belong to no session. */
  #sessionChannelOf(channel: Channel): Channel<'session'> | undefined {
    if (isKind(channel, 'session')) return channel;
    if (channel.keeping.kind !== 'durable') return undefined;
    const session = this.channels.load(channel.keeping.session);
    return isKind(session, 'session') ? session : undefined;
  }

  /** Stores, sends and acts upon everything since the last flush. Throws when it cannot be stored: then it is undone. */
  flush(): void {
    if (this.#tick.isEmpty) return;
    const tick = this.#tick;
    this.#tick = new Tick();
    this.#time = undefined;
    this.#storeTick(tick);
    for (const { ring, seq, json } of tick.rings) ring.push(seq, json);
    deliverTick(tick.messages, this.subscriptions);
    for (const uri of tick.ended) this.subscriptions.removeChannel(uri);
    for (const committed of tick.committed) {
      for (const effect of this.#effects) this.#guard(() => effect(committed));
    }
    for (const run of tick.afterwards) this.#guard(run);
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

  #storeTick(tick: Tick): void {
    const ceiling = this.#sequence.unstoredCeiling;
    if (!tick.hasStored && ceiling === undefined) return;
    try {
      this.#store.commit(tick.toStoreBatch(ceiling));
      if (ceiling !== undefined) this.#sequence.markStored(ceiling);
    } catch (error) {
      this.#takeBack(tick);
      throw error;
    }
  }

  /** A failing effect must not keep the others from theirs. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#onEffectError(error);
    }
  }

  #apply(channel: Channel, action: StateAction, origin?: ActionOrigin, sender?: Subscriber): void {
    const before = channel.state;
    const beforeSeq = channel.seq;
    const session = this.#sessionChannelOf(channel);
    if (session) this.#board.remember(session);
    const seq = this.#sequence.next(this.#numbersFor(action));
    channel.state = reduce(channel.kind, before, action as never, { now: () => this.#tickTime() });
    channel.seq = seq;
    this.#tick.undo.push(() => {
      channel.state = before;
      channel.seq = beforeSeq;
    });
    const envelope: ActionEnvelope = { channel: channel.uri, action, serverSeq: seq, ...(origin && { origin }) };
    const json = encodeEnvelope(envelope);
    this.#keep(channel, action, seq, json);
    const effect = { kind: channel.kind, before, after: channel.state, session: session?.state };
    this.#tick.messages.push({ to: channel.uri, frame: actionFrame(json), envelope, effect });
    this.#tick.committed.push({ channel, action, origin, sender, before, after: channel.state });
    const document = this.#documents.get(channel.uri)?.(before, channel.state);
    if (document) this.#tick.putDocument(document);
    if (session) this.#follow(channel, action, before, session);
    this.#changed();
  }

  #keep(channel: Channel, action: StateAction, seq: number, json: string): void {
    if (channel.keeping.kind === 'ring') {
      if (action.type === 'terminal/input') return; // changes nothing, and may be a password (OQ-85)
      this.#tick.rings.push({ ring: channel.keeping.ring, seq, json });
      return;
    }
    channel.keeping.unsaved += json.length;
    this.#tick.append(channel.uri, seq, json);
  }

  /** What must be stored together with the action: the session's catalogue, its summary, what a restart must settle. */
  #follow(channel: Channel, action: StateAction, before: unknown, session: Channel<'session'>): void {
    const unsettled = isUnsettled(channel.kind, channel.state);
    if (unsettled !== isUnsettled(channel.kind, before)) this.#setUnsettled(channel, unsettled);
    if (isKind(channel, 'chat')) {
      for (const next of chatConsequences(channel.state, action as ActionOf<'chat'>, session.state)) {
        this.#apply(session, next);
      }
      return;
    }
    if (isKind(channel, 'session')) {
      // The log does not keep the time of an action, so where a session keeps its own, the state is stored with it.
      const isTimed = channel.state.summary.modifiedAt !== (before as SessionState).summary.modifiedAt;
      if (isTimed) this.#putSnapshot(channel);
      for (const next of sessionConsequences(action as ActionOf<'session'>, channel.state)) this.#apply(channel, next);
    }
    const announcement = this.#board.announce(session);
    if (!announcement) return;
    this.#putSummary(announcement);
    const { changes } = announcement;
    this.notify('root/sessionSummaryChanged', { channel: ROOT_URI, session: session.uri, changes });
  }

  /** After a restart the channel is reported as one in which something was under way. */
  #setUnsettled(channel: Channel, unsettled: boolean): void {
    if (channel.keeping.kind !== 'durable') return;
    const { uri, kind } = channel;
    this.#tick.putChannel({ uri, kind, session: channel.keeping.session, unsettled });
    this.#changed();
  }

  /** Stores the state of a channel as it is now: what its log says up to here is not needed to load it. */
  #putSnapshot(channel: Channel): void {
    const { uri, kind, seq, state, keeping } = channel;
    if (keeping.kind !== 'durable') return;
    const snapshot = { seq, json: JSON.stringify(state) };
    const unsettled = isUnsettled(kind, state);
    this.#tick.putChannel({ uri, kind, session: keeping.session, unsettled, snapshot });
  }

  #putSummary({ summary, undo }: Announcement): void {
    this.#tick.undo.push(undo);
    const { resource: session, modifiedAt } = summary;
    this.#tick.putSummary({ session, modifiedAt, json: JSON.stringify(summary) });
  }

  #reject(to: Subscriber, channel: URI, action: StateAction, origin: ActionOrigin, rejectionReason: string): void {
    const envelope = { channel, action, serverSeq: this.#sequence.next(), origin, rejectionReason };
    this.#tick.messages.push({ to, frame: actionFrame(encodeEnvelope(envelope)), envelope });
    this.#changed();
  }

  /** Nobody was told of this tick: memory goes back to what is stored, and the senders learn that nothing happened. */
  #takeBack(tick: Tick): void {
    for (const undo of tick.undo.toReversed()) undo();
    const rejections = tick.messages.filter(
      ({ to, envelope }) => typeof to !== 'string' && envelope && this.#sequence.isReserved(envelope.serverSeq),
    );
    deliverTick(rejections, this.subscriptions);
    for (const { channel, action, origin, sender } of tick.committed) {
      if (!origin || !sender || this.#sequence.reserve <= 0) continue;
      const serverSeq = this.#sequence.next();
      const envelope = { channel: channel.uri, action, serverSeq, origin, rejectionReason: NOT_STORED };
      sender.deliver(new Delivery([{ frame: actionFrame(encodeEnvelope(envelope)), envelope }]));
    }
    for (const listener of this.#onLost) this.#guard(() => listener(tick.committed));
  }

  /** One clock reading per tick: all that is decided together happened at the same time. */
  #tickTime(): number {
    this.#time ??= this.#now();
    return this.#time;
  }

  #changed(): void {
    this.#schedule();
  }
}

const NOT_STORED = 'the host could not store this; nothing was changed';

/** What is kept of a channel's log beyond what loading needs, for clients that come back late. */
const REPLAY_BYTES = 4 * 1024 * 1024;
