import { ROOT_URI, type RootState, type TerminalInfo } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { HostContext } from '../context.js';

/** The root channel: which agents and terminals there are and how many sessions. */
export class RootService {
  readonly #context: HostContext;
  readonly #channel: Channel<'root'>;

  constructor(context: HostContext, meta: RootState['_meta'], hasTerminals: boolean) {
    this.#context = context;
    const { door, store, agents } = context;
    this.#channel = door.openEphemeral(ROOT_URI, 'root', { agents: [], activeSessions: 0, _meta: meta }, 0);
    // Said as actions, each of which replaces its member as a whole: a client that knew an earlier life of this host
    // gets them replayed and is right again, without a snapshot of everything else it follows.
    door.commit(this.#channel, { type: 'root/agentsChanged', agents: agents.infos });
    door.commit(this.#channel, { type: 'root/activeSessionsChanged', activeSessions: store.sessions.count() });
    if (hasTerminals) this.setTerminals([]);
    agents.onInfoChanged(() => door.commit(this.#channel, { type: 'root/agentsChanged', agents: agents.infos }));
  }

  sessionAdded(): void {
    this.#count(1);
  }

  sessionRemoved(): void {
    this.#count(-1);
  }

  setTerminals(terminals: TerminalInfo[]): void {
    this.#context.door.commit(this.#channel, { type: 'root/terminalsChanged', terminals });
  }

  /** The state itself is what is counted on: it goes back when a change cannot be stored. */
  #count(change: number): void {
    const activeSessions = (this.#channel.state.activeSessions ?? 0) + change;
    this.#context.door.commit(this.#channel, { type: 'root/activeSessionsChanged', activeSessions });
  }
}
