import type { CustomizationEnablement, URI } from '@moorage/protocol';
import type { CommittingDoor } from '../../core/door-parts.js';
import { MAX_CHOICES } from './limits.js';

/**
 * What users of a session switched on or off, by id, including entries that are missing at the moment. Stored with the
 * session.
 */
export class Choices {
  readonly #door: CommittingDoor;
  readonly #session: URI;
  readonly #choices: Map<string, CustomizationEnablement[]>;

  constructor(door: CommittingDoor, session: URI) {
    this.#door = door;
    this.#session = session;
    const stored = door.documents.read('customizations', session);
    this.#choices = new Map(stored === undefined ? [] : (JSON.parse(stored) as [string, CustomizationEnablement[]][]));
  }

  get(id: string): CustomizationEnablement[] | undefined {
    return this.#choices.get(id);
  }

  set(id: string, enablement: CustomizationEnablement[]): void {
    this.#choices.delete(id);
    this.#choices.set(id, enablement);
    const kept = [...this.#choices].slice(-MAX_CHOICES);
    const session = this.#session;
    this.#door.documents.put({ collection: 'customizations', key: session, session, json: JSON.stringify(kept) });
  }
}
