import { AUTOMATIONS_URI, type AutomationEntry, type URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { StoreError } from '../../ports/store.js';
import type { HostContext } from '../context.js';

/** What the host keeps of an automation besides what it shows. */
export interface AutomationRecord {
  /** Who said last what it does: its runs have the rights of that person. */
  readonly author: { readonly credential: string; readonly clientId: string };
  /** For each schedule, the time of its next run, in milliseconds since the epoch. */
  readonly due: Readonly<Record<string, number>>;
  /** Its runs, the newest first. */
  readonly runs: readonly URI[];
  /** The newest requests for a run, with the run that came of each. */
  readonly requests: readonly (readonly [requestId: string, run: URI])[];
}

/** The channel of all automations, and the record of each: both change in the same tick. */
export class Catalogue {
  readonly #context: HostContext;
  readonly #again: () => void;

  /** `again` is called when a change could not be stored, once the store may work again. */
  constructor(context: HostContext, again: () => void) {
    this.#context = context;
    this.#again = again;
  }

  open(): void {
    const { door } = this.#context;
    if (door.channels.has(AUTOMATIONS_URI)) return;
    door.open(AUTOMATIONS_URI, 'automation', AUTOMATIONS_URI, { entries: [] });
  }

  /** Undefined if it is damaged: then there are no automations until `moorage recover` has run, and all else works. */
  get channel(): Channel<'automation'> | undefined {
    try {
      return this.#context.door.channels.find('automation', AUTOMATIONS_URI);
    } catch (error) {
      if (error instanceof StoreError) return undefined;
      throw error;
    }
  }

  get entries(): readonly AutomationEntry[] {
    return this.channel?.state.entries ?? [];
  }

  entry(uri: URI): AutomationEntry | undefined {
    return this.entries.find(({ resource }) => resource === uri);
  }

  record(uri: URI): AutomationRecord | undefined {
    const json = this.#context.door.documents.readOften('automation', uri);
    return json === undefined ? undefined : (JSON.parse(json) as AutomationRecord);
  }

  /** Without a record, that stays as it is. */
  set(automation: AutomationEntry, record?: AutomationRecord): void {
    const { channel } = this;
    if (!channel) return;
    if (record) this.#put(automation.resource, JSON.stringify(record));
    this.#context.door.commit(channel, { type: 'automation/set', automation }, { again: this.#again });
  }

  forget(uri: URI): void {
    this.#put(uri, undefined);
  }

  #put(key: URI, json: string | undefined): void {
    this.#context.door.documents.put({ collection: 'automation', key, session: AUTOMATIONS_URI, json });
  }
}
