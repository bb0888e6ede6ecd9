import { ROOT_URI, type RootState, type TerminalInfo } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { CommittingDoor } from '../../core/door-parts.js';
import type { IfLost } from '../../core/if-lost.js';
import type { DocumentPut } from '../../ports/store.js';
import { ROOT_SCHEMA, RootSettings, readRootValues } from '../config/root-config.js';
import type { HostContext } from '../context.js';

/** Maintains the root channel: agents, terminals, the number of sessions, and the host's settings. */
export class RootService {
  readonly #context: HostContext;
  readonly #channel: Channel<'root'>;
  readonly settings: RootSettings;

  constructor(context: HostContext, meta: RootState['_meta'], hasTerminals: boolean) {
    this.#context = context;
    const { door, store } = context;
    const config = { schema: ROOT_SCHEMA, values: {} };
    const initial: RootState = { agents: [], activeSessions: 0, config, _meta: meta };
    const since = describedSince(door, JSON.stringify([initial, hasTerminals]));
    this.#channel = door.openEphemeral(ROOT_URI, 'root', initial, since);
    this.settings = new RootSettings(this.#channel);
    // Sent as actions that each replace a whole member: a client that knew the host before a restart gets them replayed
    // and is up to date, without fresh snapshots of everything it follows.
    this.showAgents();
    door.commit(this.#channel, { type: 'root/activeSessionsChanged', activeSessions: store.sessions.count() });
    const values = readRootValues(store.documents.read('rootConfig', CONFIG_KEY));
    door.commit(this.#channel, { type: 'root/configChanged', config: values, replace: true });
    if (hasTerminals) this.setTerminals([]);
  }

  /** The settings, stored in the same transaction, so that no crash can undo one that clients have seen. */
  documentOf({ before, channel: { state } }: Committed<'root'>): DocumentPut | undefined {
    if (before.config === state.config) return undefined;
    return { collection: 'rootConfig', key: CONFIG_KEY, json: JSON.stringify(state.config?.values ?? {}) };
  }

  showAgents(): void {
    const { door, agents } = this.#context;
    const ifLost = { again: () => this.showAgents() };
    door.commit(this.#channel, { type: 'root/agentsChanged', agents: agents.infos }, ifLost);
  }

  sessionAdded(): void {
    this.#count(1);
  }

  sessionDisposed(): void {
    this.#count(-1);
  }

  setTerminals(terminals: TerminalInfo[], ifLost?: IfLost<'root'>): void {
    this.#context.door.commit(this.#channel, { type: 'root/terminalsChanged', terminals }, ifLost);
  }

  /** Counts in the state itself, which is rolled back when a change cannot be stored. */
  #count(change: number): void {
    const activeSessions = (this.#channel.state.activeSessions ?? 0) + change;
    this.#context.door.commit(this.#channel, { type: 'root/activeSessionsChanged', activeSessions });
  }
}

/**
 * The serverSeq since when the initial state has been the same. No action carries that state, so a client that saw the
 * host before it changed must get a snapshot.
 */
function describedSince(door: CommittingDoor, description: string): number {
  const json = door.documents.read('rootConfig', DESCRIPTION_KEY);
  const stored = json === undefined ? undefined : (JSON.parse(json) as Described);
  if (stored?.description === description) return stored.since;
  const described: Described = { description, since: door.serverSeq };
  door.documents.put({ collection: 'rootConfig', key: DESCRIPTION_KEY, json: JSON.stringify(described) });
  return described.since;
}

interface Described {
  readonly description: string;
  /** The serverSeq since when this description holds. */
  readonly since: number;
}

const CONFIG_KEY = 'values';
const DESCRIPTION_KEY = 'description';
