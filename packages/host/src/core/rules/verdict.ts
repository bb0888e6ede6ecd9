import type {
  ActionOf,
  AutomationDefinition,
  ChannelKind,
  ChannelStates,
  ClientActionType,
  SessionState,
  StateAction,
  URI,
} from '@moorage/protocol';

/** What the host does with an action that a client sent. */
export type Verdict =
  /** `applied`: what of the action is applied, where that is not what the client sent. */
  | { readonly kind: 'accept'; readonly applied?: StateAction }
  /**
   * Only the sender is told. The host applies `instead` in its own name; `needs` names the protected resources for which
   * the sender has given no token.
   */
  | {
      readonly kind: 'reject';
      readonly reason: string;
      readonly instead?: StateAction;
      readonly needs?: readonly string[];
    }
  /** Accepted, but there is nothing to change: only the sender gets its action back, so that it need not wait. */
  | { readonly kind: 'confirm' }
  /** Neither applied nor answered. */
  | { readonly kind: 'ignore' };

/** Everything a rule may look at: rules are pure functions of the action and this. */
export interface RuleContext<K extends ChannelKind> {
  readonly clientId: string;
  /** Whether the sender is a program of this project, which wants to hear of its mistakes. */
  readonly isOurs: boolean;
  readonly isVscode: boolean;
  readonly state: ChannelStates[K];
  /** The session of the channel; undefined for root and for channels outside sessions. */
  readonly session: SessionState | undefined;
  /** Whether another chat of the session has a turn with this id. */
  readonly hasTurnElsewhere: (turnId: string) => boolean;
  /** Whether a session with this URI exists. */
  readonly hasSession: (uri: URI) => boolean;
  /** Why the session's agent cannot work in these folders together; undefined if it can. */
  readonly foldersProblem: (folders: readonly URI[]) => string | undefined;
  /** Why there can be no such automation; undefined if there can. `runCount`: how many runs it has begun. */
  readonly automationProblem: (definition: AutomationDefinition, runCount: number) => string | undefined;
  /** The protected resources that the session's agent requires and for which the client has given no token. */
  readonly missingTokens: () => readonly string[];
}

/** One rule for each action that a client may send on such a channel: `actionTable` of @moorage/protocol says which. */
export type Rules<K extends ChannelKind> = {
  readonly [T in ClientActionType<K>]: (action: Extract<ActionOf<K>, { type: T }>, context: RuleContext<K>) => Verdict;
};

export const ACCEPT: Verdict = { kind: 'accept' };
export const IGNORE: Verdict = { kind: 'ignore' };
export const CONFIRM: Verdict = { kind: 'confirm' };

export function reject(reason: string, instead?: StateAction): Verdict {
  return instead ? { kind: 'reject', reason, instead } : { kind: 'reject', reason };
}

/** Rejects with the reason, if there is one; otherwise accepts. */
export function unless(reason: string | undefined | false): Verdict {
  return reason ? reject(reason) : ACCEPT;
}

/** Turns an acceptance into a rejection when tokens that the agent requires are missing (OQ-98). */
export function withTokens(verdict: Verdict, missing: readonly string[]): Verdict {
  if (verdict.kind !== 'accept' || missing.length === 0) return verdict;
  return { kind: 'reject', reason: `the agent needs a token for ${missing.join(', ')}: authenticate`, needs: missing };
}
