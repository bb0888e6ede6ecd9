import type { Client } from '@moorage/client';
import { ExtensionMeta, isObject, PersonRole } from '@moorage/protocol';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useClient } from './context.js';

/** What the person at this page may do at a host. The host decides; the page only does not offer what would be refused. */
export interface Rights {
  /** Undefined for the owner. */
  readonly name: string | undefined;
  readonly role: PersonRole;
  /** The only session that a link is for. */
  readonly session: string | undefined;
  may(needed: PersonRole): boolean;
  /** Why something is not possible; undefined if it is. */
  lacks(needed: PersonRole): string | undefined;
}

/** From the least to the most. */
const ROLES: readonly PersonRole[] = Object.values(PersonRole);

export function useRights(): Rights {
  const client = useClient();
  const follow = useCallback((changed: () => void) => client.onStatus(changed), [client]);
  const hostInfo = useSyncExternalStore(follow, () => client.hostInfo);
  return useMemo(() => rightsOf({ hostInfo }), [hostInfo]);
}

/** A role does not change while a client is connected: whoever gets another one is connected again, and told then. */
export function rightsOf({ hostInfo }: Pick<Client, 'hostInfo'>): Rights {
  const person = hostInfo._meta?.[ExtensionMeta.person];
  if (!isObject(person)) return OWNER;
  const role = ROLES.find((known) => known === person.role) ?? 'view';
  const may = (needed: PersonRole) => ROLES.indexOf(role) >= ROLES.indexOf(needed);
  return {
    name: typeof person.name === 'string' ? person.name : undefined,
    role,
    session: typeof person.session === 'string' ? person.session : undefined,
    may,
    lacks: (needed) => (may(needed) ? undefined : `This needs the role ${needed}; yours is ${role}.`),
  };
}

const OWNER: Rights = {
  name: undefined,
  role: 'admin',
  session: undefined,
  may: () => true,
  lacks: () => undefined,
};
