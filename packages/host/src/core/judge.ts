import type { StateAction } from '@moorage/protocol';
import type { Channel } from './channel.js';
import { tooLarge } from './channel-size.js';
import type { ChannelTable } from './channel-table.js';
import { chatWithTurn } from './chat-turns.js';
import { judge, type Verdict } from './rules/index.js';
import { reject } from './rules/verdict.js';
import type { Subscriber } from './subscriber.js';

/** The protected resources that a session's agent requires and for which the sender has given no token. */
export type MissingTokens = (sender: Subscriber, session: Channel<'session'>) => readonly string[];

/** Applies the rules to a client's action, and supplies them with the parts of the host that a rule may look at. */
export class Judge {
  /** Set when the door is connected to the service that keeps tokens. */
  missingTokens: MissingTokens = () => [];
  readonly #channels: ChannelTable;

  constructor(channels: ChannelTable) {
    this.#channels = channels;
  }

  decide(sender: Subscriber, channel: Channel, action: StateAction): Verdict {
    const holder = this.#channels.sessionOf(channel);
    const session = holder?.state;
    const verdict = judge(channel.kind, action, {
      clientId: sender.clientId,
      isOurs: sender.isOurs,
      isVscode: sender.isVscode,
      state: channel.state,
      session,
      hasTurnElsewhere: (turnId) => chatWithTurn(this.#channels, session, turnId, channel.uri) !== undefined,
      hasSession: (candidate) => this.#channels.find('session', candidate) !== undefined,
      missingTokens: () => (holder ? this.missingTokens(sender, holder) : []),
    });
    const problem = verdict.kind === 'accept' ? tooLarge(channel, action) : undefined;
    return problem === undefined ? verdict : reject(problem);
  }
}
