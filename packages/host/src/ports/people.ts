import type { URI } from '@moorage/protocol';

/** What somebody may do, from the least to the most: each may do all that those before it may. */
export const ROLES = ['view', 'review', 'steer', 'admin'] as const;

/**
 * - `view` sees sessions, files and changes;
 * - `review` also comments and marks what was read;
 * - `steer` also begins sessions, sends, approves, and operates on changes;
 * - `admin` also has terminals outside sessions, settings, and people.
 */
export type Role = (typeof ROLES)[number];

/** What a credential allows that is not the owner's. */
export interface Grant {
  /** Whom it was given to, as others see them. */
  readonly name: string;
  /** What the person may do here: `view` < `review` < `steer` < `admin`. */
  readonly role: Role;
  /** Only this session, and what belongs to it. */
  readonly session?: URI | undefined;
  /** Milliseconds since the epoch; without it, until it is revoked. */
  readonly expiresAt?: number | undefined;
}

/** A grant with what an administrator wants to know of it. */
export interface GrantEntry extends Grant {
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  /** Devices that have signed in. A link counts as none: whoever has it is in. */
  readonly devices: number;
  /** Whether the invitation has not been used yet. */
  readonly isInvited: boolean;
}

/** Somebody for whom a provider of identities has vouched. */
export interface SignedIn {
  /** Who it is at the provider; it never changes, and nobody else has it. */
  readonly account: string;
  /** By which others know them. */
  readonly name: string;
  /** What they may do. */
  readonly role: Role;
  /** Milliseconds since the epoch: until when that counts. */
  readonly expiresAt: number;
}

/** Something secret that is shown once. */
export interface OneTimeSecret {
  /** Random and long. */
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Who may use the host besides its owner. What a call changes is kept, and counts at once. */
export interface People {
  /** What a credential allows: `owner` for the host's own, undefined for one that has ended or was never given. */
  grantOf(credential: string): Grant | 'owner' | undefined;
  /** In the order in which they were added. */
  list(): readonly GrantEntry[];
  /** Throws a PeopleError if the name is taken or no name. The secret is exchanged for a token once. */
  invite(name: string, role: Role): OneTimeSecret;
  /** A token for one session. Throws a PeopleError. */
  share(session: URI, role: Role, expiresAt: number): { readonly name: string; readonly token: string };
  /** False if there is nobody of this name. */
  revoke(name: string): boolean;
  /** `listener` is called with each credential that ends, because it was revoked or its time is over. */
  onEnded(listener: (credential: string) => void): void;
}

/** The credential under which listeners report somebody with a grant. */
export function personCredential(name: string): string {
  return PERSON_PREFIX + name;
}

/** The name in such a credential; undefined for one of the owner's. */
export function personOf(credential: string): string | undefined {
  return credential.startsWith(PERSON_PREFIX) ? credential.slice(PERSON_PREFIX.length) : undefined;
}

/** By which others know whoever has a credential: a person of the host, or a user of its fleet. Undefined for the owner. */
export function nameOf(credential: string): string | undefined {
  return personOf(credential) ?? userOf(credential);
}

/** What somebody may do. A user of the fleet has what the gateway vouches for, and nothing without that. */
export function grantOf(
  { credential, vouched }: { readonly credential: string; readonly vouched?: Grant | undefined },
  people: Pick<People, 'grantOf'> | undefined,
): Grant | 'owner' | undefined {
  if (vouched) return vouched;
  if (userOf(credential) !== undefined) return undefined;
  return people && personOf(credential) !== undefined ? people.grantOf(credential) : 'owner';
}

/** The credential under which a gateway reports a user of the fleet. What it allows is said along with it. */
export function userCredential(name: string): string {
  return USER_PREFIX + name;
}

/** The name in such a credential; undefined for all others. */
export function userOf(credential: string): string | undefined {
  return credential.startsWith(USER_PREFIX) ? credential.slice(USER_PREFIX.length) : undefined;
}

const PERSON_PREFIX = 'person:';
const USER_PREFIX = 'user:';

/** Why somebody cannot be added; a sentence for the person who tried. */
export class PeopleError extends Error {
  override readonly name = 'PeopleError';
}
