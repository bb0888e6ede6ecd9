import {
  type ActionEnvelope,
  type ActionOf,
  type ActionOrigin,
  type ChannelStates,
  ROOT_URI,
  reduce,
  reduceAll,
  type StateAction,
  type URI,
} from '@moorage/protocol';
import { type Channel, isKind } from './channel.js';
import type { ChannelTable } from './channel-table.js';
import type { Committed, Effects } from './committed.js';
import { activityChange, chatConsequences, sessionConsequences } from './consequences.js';
import { actionFrame, encodeEnvelope, noticeMessage, type Subscriber } from './delivery.js';
import type { Documents } from './documents.js';
import { isUnsettled, keepAction, keepSnapshot, keepSummary, keepUnsettled, needsSnapshot } from './keeping.js';
import type { Sequence } from './sequence.js';
import type { SummaryBoard } from './summary.js';
import type { OpenTick } from './tick.js';

export interface ApplyingOptions {
  readonly tick: OpenTick;
  readonly sequence: Sequence;
  readonly numbersFor: (action: StateAction, before: unknown) => number;
  readonly channels: ChannelTable;
  readonly board: SummaryBoard;
  readonly documents: Documents;
  /** Drops the oldest of what a snapshot covers from the stored log of a channel. */
  readonly trimLog: (channel: URI) => void;
  readonly onEffectError: (error: unknown) => void;
}

/** The first half of the door: reduces an action, numbers it, and adds it and its consequences to the open tick. */
export class Applying {
  /** What services decide with an action; set when the door is connected to them. */
  consequences: Effects = new Map();
  readonly #options: ApplyingOptions;

  constructor(options: ApplyingOptions) {
    this.#options = options;
  }

  apply(channel: Channel, action: StateAction, origin?: ActionOrigin, sender?: Subscriber): void {
    const { tick, channels, board, documents } = this.#options;
    const session = channels.sessionOf(channel);
    if (session) board.remember(session);
    const before = this.#reduce(channel, (state) =>
      reduce(channel.kind, state as never, action as never, { now: () => tick.current.time }),
    );
    const committed = { channel, action, before, after: channel.state, origin, sender };
    this.#record(committed, session);
    documents.applied(committed);
    this.#markUnsettled(committed);
    if (session) this.#follow(committed, session);
    this.#decide(committed);
  }

  /** Sends an action that changes nothing back to who sent it. */
  confirm(channel: Channel, action: StateAction, origin: ActionOrigin, sender: Subscriber): void {
    const { tick, sequence, channels, numbersFor } = this.#options;
    const { uri, kind, state } = channel;
    const session = channels.sessionOf(channel);
    const owner = session && { uri: session.uri, state: session.state };
    const serverSeq = sequence.next(numbersFor(action, state));
    const envelope: ActionEnvelope = { channel: uri, action, serverSeq, origin };
    const change = { channel: uri, kind, action, before: state, after: state, session: owner };
    tick.use().messages.push({ to: sender, frame: actionFrame(encodeEnvelope(envelope)), envelope, change });
  }

  /** What services add to the tick. An error of theirs must not keep the action from being stored. */
  #decide(committed: Committed): void {
    for (const consequence of this.consequences.get(committed.action.type) ?? []) {
      try {
        consequence(committed);
      } catch (error) {
        this.#options.onEffectError(error);
      }
    }
  }

  #markUnsettled({ channel, before }: Committed): void {
    const unsettled = isUnsettled(channel.kind, channel.state);
    if (unsettled !== isUnsettled(channel.kind, before)) keepUnsettled(this.#options.tick.current, channel, unsettled);
  }

  /**
   * Applies many changeset actions in one reduction. They have no consequences, so the intermediate states, each a copy of
   * the whole file list, are never built.
   */
  applyAll(channel: Channel<'changeset'>, actions: readonly ActionOf<'changeset'>[]): void {
    const { tick } = this.#options;
    const before = this.#reduce(channel, (state) =>
      reduceAll('changeset', state as ChannelStates['changeset'], actions, { now: () => tick.current.time }),
    );
    const same = { channel, before, after: channel.state, origin: undefined, sender: undefined };
    for (const action of actions) this.#record({ ...same, action }, undefined);
  }

  /** Replaces the state of a channel, registers how to undo that, and returns the previous state. */
  #reduce(channel: Channel, next: (state: Channel['state']) => Channel['state']): Channel['state'] {
    const { state: before, seq } = channel;
    channel.state = next(before);
    this.#options.tick.use().undo.push(() => {
      channel.state = before;
      channel.seq = seq;
    });
    return before;
  }

  /** Numbers an action that has just been reduced, and queues it for the log, the subscribers and the effects. */
  #record(committed: Committed, session: Channel<'session'> | undefined): void {
    const { channel, action, before, after, origin } = committed;
    const { tick, sequence, numbersFor, trimLog } = this.#options;
    const { uri, kind } = channel;
    const seq = sequence.next(numbersFor(action, before));
    channel.seq = seq;
    const envelope: ActionEnvelope = { channel: uri, action, serverSeq: seq, ...(origin && { origin }) };
    const json = encodeEnvelope(envelope);
    const owner = session && { uri: session.uri, state: session.state };
    const change = { channel: uri, kind, action, before, after, session: owner };
    keepAction(tick.current, channel, action, seq, json);
    if (needsSnapshot(channel)) {
      keepSnapshot(tick.current, channel);
      tick.current.afterwards.push(() => trimLog(uri));
    }
    tick.current.messages.push({ to: uri, frame: actionFrame(json), envelope, change });
    tick.current.committed.push(committed);
  }

  /** Adds what must be stored together with the action: the session's catalogue and its summary. */
  #follow({ channel, action }: Committed, session: Channel<'session'>): void {
    const { tick, board } = this.#options;
    if (isKind(channel, 'chat')) {
      const chatAction = action as ActionOf<'chat'>;
      const activity = activityChange(channel.state, chatAction);
      if (activity) this.apply(channel, activity);
      for (const next of chatConsequences(channel.state, chatAction, session.state)) this.apply(session, next);
      return;
    }
    if (isKind(channel, 'session')) {
      for (const next of sessionConsequences(action as ActionOf<'session'>, channel.state)) this.apply(channel, next);
    }
    const announcement = board.announce(session);
    if (!announcement) return;
    keepSummary(tick.current, announcement);
    const params = { channel: ROOT_URI, session: session.uri, changes: announcement.changes };
    tick.current.messages.push({ to: ROOT_URI, ...noticeMessage('root/sessionSummaryChanged', params) });
  }
}

/** Milliseconds by which a client's clock may differ before its times are replaced: what people do not notice in a list. */
const MAX_SKEW_MS = 60_000;

/** A client's action with the host's time where the client's clock is wrong: lists of sessions are sorted by such times. */
export function withHostTime(action: StateAction, now: number): StateAction {
  if (action.type !== 'chat/turnStarted') return action;
  const isRight = Math.abs(Date.parse(action.startedAt) - now) <= MAX_SKEW_MS;
  return isRight ? action : { ...action, startedAt: new Date(now).toISOString() };
}
