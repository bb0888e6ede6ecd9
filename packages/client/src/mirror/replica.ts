import {
  type ActionEnvelope,
  type ActionOf,
  type ChannelKind,
  type ChannelStates,
  type ReducerEnv,
  reduce,
  reduceAll,
} from '@moorage/protocol';
import { isBesideTheLog } from './beside-the-log.js';

/** An action dispatched here that the host has not answered yet. */
export interface PendingAction<K extends ChannelKind> {
  readonly clientSeq: number;
  readonly action: ActionOf<K>;
  /** Milliseconds since the epoch; fixed, so that predicting it again gives the same state. */
  readonly at: number;
}

/** The host's answer to an action of ours: a rejection if the envelope has a `rejectionReason`. */
export interface Answer {
  readonly clientSeq: number;
  readonly envelope: ActionEnvelope;
}

export interface Applied {
  readonly answers: readonly Answer[];
  /** Every envelope that was not known before, rejections included. */
  readonly news: readonly ActionEnvelope[];
}

/** One channel's state as this client knows it: what the host confirmed, and what it will be if the host agrees. */
export class Replica<K extends ChannelKind> {
  readonly kind: K;
  readonly #clientId: string;
  readonly #env: ReducerEnv;
  #confirmed: ChannelStates[K];
  #seq: number;
  #pending: readonly PendingAction<K>[] = [];
  /** Derived when somebody looks: most envelopes come and go unseen. */
  #optimistic: ChannelStates[K] | undefined;

  constructor(kind: K, state: ChannelStates[K], fromSeq: number, clientId: string, env: ReducerEnv) {
    this.kind = kind;
    this.#confirmed = state;
    this.#seq = fromSeq;
    this.#clientId = clientId;
    this.#env = env;
  }

  /** The serverSeq up to which the confirmed state is complete. */
  get seq(): number {
    return this.#seq;
  }

  get confirmed(): ChannelStates[K] {
    return this.#confirmed;
  }

  get pending(): readonly PendingAction<K>[] {
    return this.#pending;
  }

  get optimistic(): ChannelStates[K] {
    this.#optimistic ??= this.#pending.reduce((state, pending) => this.#predicted(state, pending), this.#confirmed);
    return this.#optimistic;
  }

  /** Replaces the confirmed state. What is pending stays so: only the caller knows what became of it. */
  install(state: ChannelStates[K], fromSeq: number): void {
    this.#confirmed = state;
    this.#seq = fromSeq;
    this.#optimistic = undefined;
  }

  /** Applies envelopes in the order of their arrival. */
  apply(envelopes: readonly ActionEnvelope[]): Applied {
    const actions: ActionOf<K>[] = [];
    const answers: Answer[] = [];
    const news: ActionEnvelope[] = [];
    for (const envelope of envelopes) {
      // Also in an envelope that the snapshot covers already: the answer counts, the action is not reduced again.
      if (envelope.origin?.clientId === this.#clientId && this.forget(envelope.origin.clientSeq)) {
        answers.push({ clientSeq: envelope.origin.clientSeq, envelope });
      }
      // A rejection changes nothing, whoever sent the action, and its number says nothing about what is still to come.
      if (envelope.rejectionReason !== undefined) {
        news.push(envelope);
        continue;
      }
      if (!isBesideTheLog(envelope)) {
        if (envelope.serverSeq <= this.#seq) continue;
        this.#seq = envelope.serverSeq;
      }
      news.push(envelope);
      // The reducer ignores actions that belong to another kind of channel.
      actions.push(envelope.action as ActionOf<K>);
    }
    const confirmed = reduceAll(this.kind, this.#confirmed, actions, this.#env);
    if (confirmed !== this.#confirmed) this.#optimistic = undefined;
    this.#confirmed = confirmed;
    return { answers, news };
  }

  /** Shows an action of ours before the host has answered. */
  predict(pending: PendingAction<K>): void {
    this.#pending = [...this.#pending, pending];
    if (this.#optimistic !== undefined) this.#optimistic = this.#predicted(this.#optimistic, pending);
  }

  /** Forgets a pending action; answers may come in another order than the actions (OQ-22). False if it is not pending. */
  forget(clientSeq: number): boolean {
    const remaining = this.#pending.filter((pending) => pending.clientSeq !== clientSeq);
    if (remaining.length === this.#pending.length) return false;
    this.#pending = remaining;
    this.#optimistic = undefined;
    return true;
  }

  #predicted(state: ChannelStates[K], { action, at }: PendingAction<K>): ChannelStates[K] {
    return reduce(this.kind, state, action, { now: () => at });
  }
}
