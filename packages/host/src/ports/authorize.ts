import type { StateAction, URI } from '@moorage/protocol';
import type { Grant } from './people.js';

/** Whoever is at a client: who presented which credential, with which program. */
export interface Person {
  /** The name of the credential, as the transport reports it. */
  readonly credential: string;
  /** The client, as it names itself; it belongs to the credential that used it first. */
  readonly clientId: string;
  /** The name of the program, as the program itself states it. */
  readonly program?: string | undefined;
  /** What a gateway of the host's fleet says that the credential allows. */
  readonly vouched?: Grant | undefined;
}

/** What a client wants to do: change a channel by an action, or have a request answered. Well-formed, not yet allowed. */
export type Attempt =
  | { readonly kind: 'action'; readonly channel: URI; readonly action: StateAction }
  | { readonly kind: 'request'; readonly channel: URI; readonly method: string; readonly params: unknown };

/**
 * Decides whether a person may do something: undefined allows it, a sentence refuses it and is shown to the person. Asked for
 * every action and every request but the handshake, before the host's own rules, which apply in any case. The channels that a
 * handshake subscribes to are asked about as `subscribe` requests; those refused are left out of its answer. It must be quick,
 * because everybody waits for it. If it throws, the attempt is refused.
 *
 * It allows or refuses a request, and does not change its answer: lists such as that of the sessions are the same for everybody.
 */
export type Authorize = (person: Person, attempt: Attempt) => string | undefined;

/** Allows everything. */
export const allowAll: Authorize = () => undefined;
