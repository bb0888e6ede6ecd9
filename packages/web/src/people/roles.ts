import { PersonRole } from '@moorage/protocol';
import { ownAddress } from '../connection/own-address.js';

/** What each role may do, in the order of how much that is. */
export const ROLE_LABELS: Readonly<Record<PersonRole, string>> = {
  view: 'View: sees everything, changes nothing',
  review: 'Review: also comments and marks',
  steer: 'Steer: also sends, approves and changes files',
  admin: 'Admin: also settings and people',
};

export const ROLES: readonly PersonRole[] = Object.values(PersonRole);

/** Where others find this page: as the host says, or else where it was opened here. */
export function pageAddress(page: string | undefined): string {
  return page ?? location.origin + ownAddress();
}
