import type { URI } from '@ahpd/protocol';
import type { Door } from '../../core/door.js';
import { isInside } from '../../paths/inside.js';
import { MAX_GRANTS } from './limits.js';

/** What a user allowed a client: a real path and all below it. Reading and writing are two things. */
export interface Grant {
  readonly path: string;
  readonly read: boolean;
  readonly write: boolean;
}

/** For the next operation; until the session ends or the client disconnects (OQ-95); or for this client for good. */
export type Lasting = { readonly kind: 'once' } | { readonly kind: 'session'; readonly session: URI } | typeof ALWAYS;
export const ALWAYS = { kind: 'always' } as const;

type Held = Grant & { readonly lasting: Exclude<Lasting, typeof ALWAYS> };

/** What users allowed clients beyond the roots. Only what is to last for good is stored. */
export class Grants {
  readonly #door: Door;
  readonly #held = new Map<string, Held[]>();

  constructor(door: Door) {
    this.#door = door;
  }

  add(clientId: string, grant: Grant, lasting: Lasting): void {
    if (lasting.kind !== 'always') {
      this.#held.set(clientId, [...this.#of(clientId), { ...grant, lasting }].slice(-MAX_GRANTS));
      return;
    }
    const json = JSON.stringify([...this.#stored(clientId), grant].slice(-MAX_GRANTS));
    this.#door.documents.put({ collection: 'grants', key: clientId, json });
  }

  /** The grant that covers it: one that lasts before one that is used up by it. */
  find(clientId: string, access: 'read' | 'write', path: string): Grant | undefined {
    const covers = (grant: Grant) => grant[access] && isInside(path, grant.path);
    const held = this.#of(clientId).filter(covers);
    return held.find(({ lasting }) => lasting.kind !== 'once') ?? this.#stored(clientId).find(covers) ?? held[0];
  }

  /** The operation that a grant was for has been tried; what was for one operation is gone. */
  used(clientId: string, grant: Grant): void {
    const left = this.#of(clientId).filter((held) => held !== grant || held.lasting.kind !== 'once');
    this.#held.set(clientId, left);
  }

  clientGone(clientId: string): void {
    this.#held.delete(clientId);
  }

  sessionEnded(session: URI): void {
    for (const [clientId, held] of this.#held) {
      const left = held.filter(({ lasting }) => lasting.kind !== 'session' || lasting.session !== session);
      this.#held.set(clientId, left);
    }
  }

  #of(clientId: string): Held[] {
    return this.#held.get(clientId) ?? [];
  }

  #stored(clientId: string): Grant[] {
    const json = this.#door.documents.read('grants', clientId);
    return json === undefined ? [] : (JSON.parse(json) as Grant[]);
  }
}
