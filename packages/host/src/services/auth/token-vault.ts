import type { URI } from '@moorage/protocol';
import type { Subscriber } from '../../core/delivery.js';

/** A client's token. Tokens are kept in memory only. */
export interface KnownToken {
  readonly owner: Subscriber;
  readonly resource: string;
  readonly value: string;
  readonly expiresAt: number | undefined;
  readonly sharing: Sharing;
}

/** Which turns may use a token besides its owner's. Only the owner decides this. */
export type Sharing =
  | { readonly kind: 'own' }
  | { readonly kind: 'sessions'; readonly sessions: ReadonlySet<URI> }
  | { readonly kind: 'all' };

/** Tokens by connection and resource: authentication belongs to a connection (B-313) and ends with it (OQ-98). */
export class TokenVault {
  readonly #tokens = new Map<Subscriber, Map<string, KnownToken>>();

  put(token: KnownToken): void {
    const held = this.#tokens.get(token.owner) ?? new Map<string, KnownToken>();
    this.#tokens.set(token.owner, held.set(token.resource, token));
  }

  get(owner: Subscriber, resource: string): KnownToken | undefined {
    return this.#tokens.get(owner)?.get(resource);
  }

  count(owner: Subscriber): number {
    return this.#tokens.get(owner)?.size ?? 0;
  }

  /** The most recent token that is shared with a session. */
  shared(session: URI, resource: string): KnownToken | undefined {
    const found = [...this.#tokens.values()].flatMap((held) => held.get(resource) ?? []);
    return found.reverse().find(({ sharing }) => isSharedWith(sharing, session));
  }

  /** Removes this very token, not one that has replaced it. Returns whether it was there. */
  remove(token: KnownToken): boolean {
    const held = this.#tokens.get(token.owner);
    if (held?.get(token.resource) !== token) return false;
    held.delete(token.resource);
    if (held.size === 0) this.#tokens.delete(token.owner);
    return true;
  }

  removeAll(owner: Subscriber): readonly KnownToken[] {
    const held = [...(this.#tokens.get(owner)?.values() ?? [])];
    this.#tokens.delete(owner);
    return held;
  }

  *[Symbol.iterator](): Iterator<KnownToken> {
    for (const held of this.#tokens.values()) yield* held.values();
  }
}

function isSharedWith(sharing: Sharing, session: URI): boolean {
  return sharing.kind === 'all' || (sharing.kind === 'sessions' && sharing.sessions.has(session));
}
