import type { ActionEnvelope, ActionOf, ChannelKind, SubscribeView } from '@moorage/protocol';
import type { DeliveryFailure } from '../errors.js';
import { isBesideTheLog } from '../mirror/beside-the-log.js';
import { Replica } from '../mirror/replica.js';
import { encodeDispatch } from '../wire/encode-dispatch.js';
import type { ChannelSnapshot } from '../wire/read-snapshot.js';
import type { ChannelContext } from './context.js';
import { Deliveries } from './deliveries.js';

/**
 * - `live`: every envelope is applied
 * - `suspended`: there is no connection; the state is the base for a replay
 * - `stale`: the state is not to be trusted; envelopes are kept until a snapshot replaces it
 * - `gone`: nothing will come any more
 */
export type ChannelPhase = 'live' | 'suspended' | 'stale' | 'gone';

/** Somebody who looks at a channel: one for every mirror that was handed out. */
export interface Viewer {
  onNews(envelopes: readonly ActionEnvelope[]): void;
  onChanged(): void;
}

/** Envelopes kept for one snapshot: a minute of a very busy channel. A host that never sends it must not fill our memory. */
export const MAX_KEPT_ENVELOPES = 65_536;

/** Unanswered actions of one channel: far more than people cause, few enough to be predicted anew on every read. */
export const MAX_PENDING_ACTIONS = 1024;

/** One subscribed channel with state: joins its envelopes, its own actions and its viewers. */
export class Channel<K extends ChannelKind> {
  readonly uri: string;
  readonly kind: K;
  /** How much of the state was asked for. */
  readonly view: SubscribeView | undefined;
  readonly viewers = new Set<Viewer>();
  /** Mirrors that must be released before the subscription ends. */
  holders = 0;
  readonly #context: ChannelContext;
  readonly #replica: Replica<K>;
  readonly #deliveries = new Deliveries();
  #phase: ChannelPhase = 'live';
  /** What arrived and is not applied yet; it is when somebody looks, or at the flush. */
  #inbox: ActionEnvelope[];
  /** What was applied since the last flush. */
  #news: readonly ActionEnvelope[] = [];
  #changed = false;
  /** Something unreadable came after the next snapshot or replay was asked for, which may therefore lack it. */
  #doubted = false;

  constructor(
    uri: string,
    kind: K,
    view: SubscribeView | undefined,
    snapshot: ChannelSnapshot<K>,
    kept: readonly ActionEnvelope[],
    context: ChannelContext,
  ) {
    this.uri = uri;
    this.kind = kind;
    this.view = view;
    this.#context = context;
    this.#replica = new Replica(kind, snapshot.state, snapshot.fromSeq, context.clientId, context.env);
    this.#inbox = continuing(kept);
    if (kept.length > 0) context.schedule(this);
  }

  get phase(): ChannelPhase {
    return this.#phase;
  }

  /** With everything that has arrived: who awaited an answer sees what the host sent before it. */
  get replica(): Pick<Replica<K>, 'confirmed' | 'optimistic' | 'pending' | 'seq'> {
    return this.#caughtUp();
  }

  receive(envelope: ActionEnvelope): void {
    if (this.#inbox.length === 0) this.#context.schedule(this);
    this.#inbox.push(envelope);
    if (this.#phase !== 'live' && this.#inbox.length > MAX_KEPT_ENVELOPES) this.#context.overflow(this.uri);
  }

  dispatch(action: ActionOf<K>): Promise<ActionEnvelope> {
    const clientSeq = this.#context.nextClientSeq();
    const frame = encodeDispatch({ channel: this.uri, clientSeq, action });
    const promise = this.#deliveries.add(clientSeq, action);
    if (this.#phase === 'gone') this.#giveUp([clientSeq], 'gone');
    else if (this.#replica.pending.length >= MAX_PENDING_ACTIONS) this.#giveUp([clientSeq], 'overflow');
    else {
      this.#replica.predict({ clientSeq, action, at: this.#context.env.now() });
      this.#touch();
      this.#context.dispatch(frame, {
        onSend: () => this.#deliveries.send(clientSeq),
        onFail: (why) => this.#giveUp([clientSeq], why),
      });
    }
    return promise;
  }

  /** The connection is lost. What arrived on it is applied; what was sent on it may never be answered. */
  suspend(): void {
    this.#caughtUp();
    this.#inbox = [];
    this.#doubted = false;
    if (this.#phase === 'live') this.#phase = 'suspended';
    this.#deliveries.orphan();
    this.#touch();
  }

  /** The host has sent all that was missed. */
  resume(replayed: readonly ActionEnvelope[]): void {
    this.#inbox = [...replayed, ...this.#inbox];
    this.#settle('dropped');
  }

  /** A snapshot is asked for: whatever came before is in it. */
  expectSnapshot(): void {
    this.#doubted = false;
  }

  /** The host has sent a new snapshot; what is kept and newer comes on top. */
  replace({ state, fromSeq }: ChannelSnapshot<K>): void {
    this.#inbox = continuing(this.#inbox);
    if (!this.#doubted) this.#replica.install(state, fromSeq);
    this.#settle('replaced');
  }

  /** An envelope could not be read, so the state lacks it. It may have been the answer to an action of ours. */
  distrust(answered: number | undefined): void {
    this.#caughtUp();
    this.#doubted = true;
    if (this.#phase === 'live') this.#phase = 'stale';
    if (answered !== undefined) this.#giveUp([answered], 'replaced');
    this.#touch();
  }

  /** The snapshot that came is no use; another one is needed. */
  missSnapshot(): void {
    this.#phase = 'stale';
    this.#touch();
  }

  end(why: 'gone' | 'released' | 'closed'): void {
    this.#caughtUp();
    this.#phase = 'gone';
    this.#giveUp(
      this.#replica.pending.map(({ clientSeq }) => clientSeq),
      why,
    );
    this.#touch();
  }

  flush(): void {
    this.#caughtUp();
    const news = this.#news;
    const changed = this.#changed;
    this.#news = [];
    this.#changed = false;
    if (news.length > 0) for (const viewer of this.viewers) viewer.onNews(news);
    if (changed) for (const viewer of this.viewers) viewer.onChanged();
  }

  /** The state is complete again, unless it is doubted: then it stays as it is until another snapshot comes. */
  #settle(orphans: DeliveryFailure): void {
    this.#phase = this.#doubted ? 'stale' : 'live';
    this.#caughtUp();
    if (!this.#doubted) this.#giveUp(this.#deliveries.orphans(), orphans);
    this.#touch();
  }

  #caughtUp(): Replica<K> {
    if (this.#phase !== 'live' || this.#inbox.length === 0) return this.#replica;
    const before = this.#replica.confirmed;
    const { answers, news } = this.#replica.apply(this.#inbox);
    this.#inbox = [];
    this.#news = this.#news.length === 0 ? news : this.#news.concat(news);
    if (answers.length > 0 || this.#replica.confirmed !== before) this.#changed = true;
    for (const answer of answers) this.#deliveries.answer(answer);
    return this.#replica;
  }

  #giveUp(clientSeqs: readonly number[], why: DeliveryFailure): void {
    for (const clientSeq of clientSeqs) {
      this.#replica.forget(clientSeq);
      this.#deliveries.fail(clientSeq, why);
    }
    if (clientSeqs.length > 0) this.#touch();
  }

  #touch(): void {
    this.#changed = true;
    this.#context.schedule(this);
  }
}

/** What can follow a snapshot: turns that came before it continue the history of an older one, and would leave a gap. */
function continuing(kept: readonly ActionEnvelope[]): ActionEnvelope[] {
  return kept.filter((envelope) => !isBesideTheLog(envelope));
}
