import type { SessionState, StateAction, URI } from '@ahpd/protocol';
import type { Channel } from './channel.js';
import type { ChannelTable } from './channel-table.js';
import { chatWithTurn } from './chat-turns.js';
import { judge, type Verdict } from './rules/index.js';
import { reject } from './rules/verdict.js';
import type { Subscriber } from './subscriber.js';

/** Protected resources that a session's agent cannot work without, and that a client has no token for. */
export type MissingTokens = (sender: Subscriber, session: SessionState) => readonly string[];

/** Puts an action of a client to the rules, with all of the host that a rule may look at. */
export class Judge {
  readonly #channels: ChannelTable;
  #missingTokens: MissingTokens = () => [];
  #heldOf: (session: URI) => number = () => 0;

  constructor(channels: ChannelTable) {
    this.#channels = channels;
  }

  setMissingTokens(missingTokens: MissingTokens): void {
    this.#missingTokens = missingTokens;
  }

  setHolding(heldOf: (session: URI) => number): void {
    this.#heldOf = heldOf;
  }

  decide(sender: Subscriber, channel: Channel, action: StateAction): Verdict {
    const session = this.#channels.sessionOf(channel)?.state;
    const held = this.#heldOf(channel.uri);
    const verdict = judge(channel.kind, action, {
      clientId: sender.clientId,
      state: channel.state,
      session,
      busy: (session && this.#channels.isBusy(session)) || held > 0, // what comes now must not overtake what is held
      hasTurnElsewhere: (turnId) => chatWithTurn(this.#channels, session, turnId, channel.uri) !== undefined,
      hasSession: (candidate) => this.#channels.find('session', candidate) !== undefined,
      missingTokens: () => (session ? this.#missingTokens(sender, session) : []),
    });
    return verdict.kind === 'defer' && held >= MAX_HELD ? reject(TOO_MANY_HELD) : verdict;
  }
}

/** Changes of one session that may wait for its turns to end: what people choose meanwhile, and not a runaway client. */
const MAX_HELD = 100;
const TOO_MANY_HELD = 'too many changes wait for the turn to end already; send this one when it has';
