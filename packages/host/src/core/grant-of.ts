import type { Person } from '../ports/authorize.js';
import { type Grant, type People, userOf } from '../ports/people.js';

/** What somebody may do. A user of the fleet has what the gateway vouches for, and nothing without that. */
export function grantOf(
  { credential, vouched }: Pick<Person, 'credential' | 'vouched'>,
  people: Pick<People, 'grantOf'> | undefined,
): Grant | 'owner' | undefined {
  if (vouched) return vouched;
  if (userOf(credential) !== undefined) return undefined;
  return people ? people.grantOf(credential) : 'owner';
}
