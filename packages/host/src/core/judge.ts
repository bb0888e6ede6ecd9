import type { SessionState, StateAction, URI } from '@moorage/protocol';
import type { Channel } from './channel.js';
import { tooLarge } from './channel-size.js';
import type { ChannelTable } from './channel-table.js';
import { chatWithTurn } from './chat-turns.js';
import { judge, type Verdict } from './rules/index.js';
import { reject } from './rules/verdict.js';
import type { Subscriber } from './subscriber.js';

/** The protected resources that a session's agent requires and for which the sender has given no token. */
export type MissingTokens = (sender: Subscriber, session: SessionState) => readonly string[];

/** Applies the rules to a client's action, and supplies them with the parts of the host that a rule may look at. */
export class Judge {
  readonly #channels: ChannelTable;
  #missingTokens: MissingTokens = () => [];
  #countDeferred: (session: URI) => number = () => 0;

  constructor(channels: ChannelTable) {
    this.#channels = channels;
  }

  setMissingTokens(missingTokens: MissingTokens): void {
    this.#missingTokens = missingTokens;
  }

  setDeferredCount(countDeferred: (session: URI) => number): void {
    this.#countDeferred = countDeferred;
  }

  decide(sender: Subscriber, channel: Channel, action: StateAction): Verdict {
    const session = this.#channels.sessionOf(channel)?.state;
    const deferred = this.#countDeferred(channel.uri);
    const verdict = judge(channel.kind, action, {
      clientId: sender.clientId,
      isOurs: sender.isOurs,
      isVscode: sender.isVscode,
      state: channel.state,
      session,
      busy: (session && this.#channels.isBusy(session)) || deferred > 0, // a new change must not overtake a deferred one
      hasTurnElsewhere: (turnId) => chatWithTurn(this.#channels, session, turnId, channel.uri) !== undefined,
      hasSession: (candidate) => this.#channels.find('session', candidate) !== undefined,
      missingTokens: () => (session ? this.#missingTokens(sender, session) : []),
    });
    if (verdict.kind === 'defer' && deferred >= MAX_DEFERRED) return reject(TOO_MANY_DEFERRED);
    const problem = verdict.kind === 'accept' ? tooLarge(channel, action) : undefined;
    return problem === undefined ? verdict : reject(problem);
  }
}

/** Changes of one session that may wait for its turns to end: plenty for what people do, and a stop for a runaway client. */
const MAX_DEFERRED = 100;
const TOO_MANY_DEFERRED = 'too many changes wait for the turn to end already; send this one when it has';
