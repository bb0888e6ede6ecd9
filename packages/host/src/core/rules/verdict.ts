import type {
  ActionOf,
  ChannelKind,
  ChannelStates,
  ClientActionType,
  SessionState,
  StateAction,
  URI,
} from '@ahpd/protocol';

/** What the host does with an action that a client sent. */
export type Verdict =
  | { readonly kind: 'accept' }
  /**
   * Told to the sender alone; `instead` is what the host does because of it, `needs` names the protected resources that
   * the sender has no token for.
   */
  | {
      readonly kind: 'reject';
      readonly reason: string;
      readonly instead?: StateAction;
      readonly needs?: readonly string[];
    }
  /** Neither applied nor answered. */
  | { readonly kind: 'ignore' }
  /** Held until no turn of the session runs, then applied. */
  | { readonly kind: 'defer' };

/** What a rule may look at: the same question always gets the same answer. */
export interface RuleContext<K extends ChannelKind> {
  readonly clientId: string;
  readonly state: ChannelStates[K];
  /** The session of the channel; undefined for root and for channels outside sessions. */
  readonly session: SessionState | undefined;
  /** Whether a turn is active in any chat of the session, or an earlier action still waits for its end. */
  readonly busy: boolean;
  /** Whether another chat of the session has a turn of this id. */
  readonly hasTurnElsewhere: (turnId: string) => boolean;
  /** Whether there is such a session now. */
  readonly hasSession: (uri: URI) => boolean;
  /** Protected resources that the session's agent cannot work without, and that the client has no token for. */
  readonly missingTokens: () => readonly string[];
}

/** One rule for each action that a client may send on such a channel: `actionTable` of @ahpd/protocol says which. */
export type Rules<K extends ChannelKind> = {
  readonly [T in ClientActionType<K>]: (action: Extract<ActionOf<K>, { type: T }>, context: RuleContext<K>) => Verdict;
};

export const ACCEPT: Verdict = { kind: 'accept' };
export const DEFER: Verdict = { kind: 'defer' };

export function reject(reason: string, instead?: StateAction): Verdict {
  return instead ? { kind: 'reject', reason, instead } : { kind: 'reject', reason };
}

/** Accepts unless a reason is given. */
export function unless(reason: string | undefined | false): Verdict {
  return reason ? reject(reason) : ACCEPT;
}

/** Accepts a verdict only from a client that has the tokens which the agent needs (OQ-98). */
export function withTokens(verdict: Verdict, missing: readonly string[]): Verdict {
  if (verdict.kind !== 'accept' || missing.length === 0) return verdict;
  return { kind: 'reject', reason: `the agent needs a token for ${missing.join(', ')}: authenticate`, needs: missing };
}
