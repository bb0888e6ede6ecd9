import type { Door } from '../core/door.js';
import { invalidRequest } from '../core/errors.js';
import type { Store } from '../ports/store.js';
import type { ClientProfile, Connection } from './connection.js';

/** What clients have said of themselves, kept for their next connection. A client id belongs to its first credential. */
export class KnownClients {
  readonly #door: Door;
  readonly #store: Store;

  constructor(door: Door, store: Store) {
    this.#door = door;
    this.#store = store;
  }

  find(clientId: string): ClientProfile | undefined {
    const stored = this.#read(clientId);
    if (!stored) return undefined;
    const { credential, ...profile } = stored;
    return profile;
  }

  /** Throws if the client id belongs to somebody else. */
  keep({ credential }: Connection, profile: ClientProfile): void {
    const { clientId } = profile;
    const stored = this.#read(clientId);
    if (stored && stored.credential !== credential) {
      throw invalidRequest(`the client id "${clientId}" belongs to somebody else; choose another one`);
    }
    const json = JSON.stringify({ ...profile, credential } satisfies StoredClient);
    if (json !== JSON.stringify(stored)) this.#door.documents.put({ collection: 'client', key: clientId, json });
  }

  #read(clientId: string): StoredClient | undefined {
    const json = this.#store.documents.read('client', clientId);
    return json === undefined ? undefined : (JSON.parse(json) as StoredClient);
  }
}

interface StoredClient extends ClientProfile {
  readonly credential: string;
}
