import type { SessionState, StateAction, URI } from '@ahpd/protocol';
import { type Channel, isKind } from './channel.js';
import type { ChannelTable } from './channel-table.js';
import { judge, type Verdict } from './rules/index.js';
import type { Subscriber } from './subscriber.js';
import { isBusy } from './unsettled.js';

/** Protected resources that a session's agent cannot work without, and that a client has no token for. */
export type MissingTokens = (sender: Subscriber, session: SessionState) => readonly string[];

/** Puts an action of a client to the rules, with all of the host that a rule may look at. */
export class Judge {
  readonly #channels: ChannelTable;
  readonly #missingTokens: MissingTokens;
  #isHolding: (session: URI) => boolean = () => false;

  constructor(channels: ChannelTable, missingTokens: MissingTokens) {
    this.#channels = channels;
    this.#missingTokens = missingTokens;
  }

  setHolding(isHolding: (session: URI) => boolean): void {
    this.#isHolding = isHolding;
  }

  decide(sender: Subscriber, channel: Channel, action: StateAction): Verdict {
    const session = this.#channels.sessionOf(channel)?.state;
    return judge(channel.kind, action, {
      clientId: sender.clientId,
      state: channel.state,
      session,
      busy: isBusy(session) || this.#isHolding(channel.uri), // what comes now must not overtake what is held
      hasTurnElsewhere: (turnId) => this.#hasTurn(session, channel.uri, turnId),
      hasSession: (candidate) => isKind(this.#channels.load(candidate), 'session'),
      missingTokens: () => (session ? this.#missingTokens(sender, session) : []),
    });
  }

  /** Whether a chat of the session other than this one has the turn, finished or not. */
  #hasTurn(session: SessionState | undefined, except: URI, turnId: string): boolean {
    return (session?.chats ?? []).some(({ resource }) => {
      const chat = resource === except ? undefined : this.#channels.load(resource);
      if (!isKind(chat, 'chat')) return false;
      return chat.state.activeTurn?.id === turnId || chat.state.turns.some((turn) => turn.id === turnId);
    });
  }
}
