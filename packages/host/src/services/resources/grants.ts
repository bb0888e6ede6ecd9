import type { URI } from '@moorage/protocol';
import type { CommittingDoor } from '../../core/door-parts.js';
import { isInside } from '../../paths/inside.js';
import { MAX_GRANTS } from './limits.js';

/** What a user allowed a client: a real path and everything below it, for reading, writing or both. */
export interface Grant {
  readonly path: string;
  readonly read: boolean;
  readonly write: boolean;
}

/**
 * For the next operation; until the session is disposed or the client disconnects (OQ-95); or for this client for good.
 */
export type GrantDuration =
  | { readonly kind: 'once' }
  | { readonly kind: 'session'; readonly session: URI }
  | typeof ALWAYS;
export const ALWAYS = { kind: 'always' } as const;

type TimedGrant = Grant & { readonly duration: Exclude<GrantDuration, typeof ALWAYS> };

/** What users allowed clients outside the roots. Only permanent grants are stored. */
export class Grants {
  readonly #door: CommittingDoor;
  readonly #held = new Map<string, TimedGrant[]>();

  constructor(door: CommittingDoor) {
    this.#door = door;
  }

  add(clientId: string, grant: Grant, duration: GrantDuration): void {
    if (duration.kind !== 'always') {
      this.#held.set(clientId, [...this.#of(clientId), { ...grant, duration }].slice(-MAX_GRANTS));
      return;
    }
    const json = JSON.stringify([...this.#stored(clientId), grant].slice(-MAX_GRANTS));
    this.#door.documents.put({ collection: 'grants', key: clientId, json });
  }

  /** The grant that covers an access; one for a single operation is used last. */
  find(clientId: string, access: 'read' | 'write', path: string): Grant | undefined {
    const covers = (grant: Grant) => grant[access] && isInside(path, grant.path);
    const held = this.#of(clientId).filter(covers);
    return held.find(({ duration }) => duration.kind !== 'once') ?? this.#stored(clientId).find(covers) ?? held[0];
  }

  /** Drops a grant for a single operation after that was tried. */
  used(clientId: string, grant: Grant): void {
    const left = this.#of(clientId).filter((held) => held !== grant || held.duration.kind !== 'once');
    this.#held.set(clientId, left);
  }

  clientGone(clientId: string): void {
    this.#held.delete(clientId);
  }

  sessionDisposed(session: URI): void {
    for (const [clientId, held] of this.#held) {
      const left = held.filter(({ duration }) => duration.kind !== 'session' || duration.session !== session);
      this.#held.set(clientId, left);
    }
  }

  #of(clientId: string): TimedGrant[] {
    return this.#held.get(clientId) ?? [];
  }

  #stored(clientId: string): Grant[] {
    const json = this.#door.documents.read('grants', clientId);
    return json === undefined ? [] : (JSON.parse(json) as Grant[]);
  }
}
