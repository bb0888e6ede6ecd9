import { ROOT_URI, type RootState, type TerminalInfo } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { Door } from '../../core/door.js';
import { ROOT_SCHEMA, RootSettings, readRootValues } from '../config/root-config.js';
import type { HostContext } from '../context.js';

/** The root channel: which agents and terminals there are, how many sessions, and how the host is set. */
export class RootService {
  readonly #context: HostContext;
  readonly #channel: Channel<'root'>;
  readonly settings: RootSettings;

  constructor(context: HostContext, meta: RootState['_meta'], hasTerminals: boolean) {
    this.#context = context;
    const { door, store, agents } = context;
    const config = { schema: ROOT_SCHEMA, values: {} };
    const initial: RootState = { agents: [], activeSessions: 0, config, _meta: meta };
    const since = describedSince(door, JSON.stringify([initial, hasTerminals]));
    this.#channel = door.openEphemeral(ROOT_URI, 'root', initial, since);
    this.settings = new RootSettings(this.#channel);
    // Said as actions, each of which replaces its member as a whole: a client that knew an earlier life of this host
    // gets them replayed and is right again, without a snapshot of everything else it follows.
    door.commit(this.#channel, { type: 'root/agentsChanged', agents: agents.infos });
    door.commit(this.#channel, { type: 'root/activeSessionsChanged', activeSessions: store.sessions.count() });
    const values = readRootValues(store.documents.read('rootConfig', CONFIG_KEY));
    door.commit(this.#channel, { type: 'root/configChanged', config: values, replace: true });
    // In the same transaction: nobody is told of a setting that a crash could take back.
    door.documents.follow('root', ({ before, channel: { state } }) =>
      before.config === state.config
        ? undefined
        : { collection: 'rootConfig', key: CONFIG_KEY, json: JSON.stringify(state.config?.values ?? {}) },
    );
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

/** No action says what the state began with: who knew the host before that was another gets a snapshot. */
function describedSince(door: Door, description: string): number {
  const json = door.documents.read('rootConfig', DESCRIPTION_KEY);
  const stored = json === undefined ? undefined : (JSON.parse(json) as Described);
  if (stored?.description === description) return stored.since;
  const described: Described = { description, since: door.serverSeq };
  door.documents.put({ collection: 'rootConfig', key: DESCRIPTION_KEY, json: JSON.stringify(described) });
  return described.since;
}

interface Described {
  readonly description: string;
  /** The serverSeq from which on it is this. */
  readonly since: number;
}

const CONFIG_KEY = 'values';
const DESCRIPTION_KEY = 'description';
