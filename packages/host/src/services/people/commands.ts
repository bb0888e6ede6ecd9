import { type PersonEntry, parseSessionUri } from '@moorage/protocol';
import type { Subscriber } from '../../core/delivery.js';
import { invalidParams, notAllowed, sessionNotFound } from '../../core/errors.js';
import type { Handler, Handlers } from '../../core/handler.js';
import { type People, PeopleError, type Role } from '../../ports/people.js';
import type { HostContext } from '../context.js';
import { includes } from './roles.js';

export interface PeopleCommandOptions {
  readonly people: People;
  /** Where somebody else finds the host's page; undefined if they cannot. */
  readonly page: () => string | undefined;
  readonly isHere: (name: string) => boolean;
}

/** Who may use the host, for those who may decide that. */
export function peopleCommands({ door, clock }: HostContext, { people, page, isHere }: PeopleCommandOptions) {
  const listPeople: Handler<'moorage/listPeople'> = () => ({
    items: people.list().map((entry): PersonEntry => ({ ...entry, isHere: isHere(entry.name) })),
  });

  const invitePerson: Handler<'moorage/invitePerson'> = ({ name, role }) => {
    const { secret, expiresAt } = explained('name', () => people.invite(name, role));
    return { secret, expiresAt, ...withPage() };
  };

  const revokePerson: Handler<'moorage/revokePerson'> = ({ name }) => {
    if (!people.revoke(name)) throw invalidParams(`params/name: there is nobody called "${name}"`);
    return null;
  };

  const shareSession: Handler<'moorage/shareSession'> = ({ channel, role, expiresAt }, client) => {
    if (!parseSessionUri(channel) || !door.channels.find('session', channel)) throw sessionNotFound(channel);
    if (expiresAt <= clock.now()) throw invalidParams('params/expiresAt: expected a time to come');
    assertOwnRole(client, role);
    return { ...explained('role', () => people.share(channel, role, expiresAt)), ...withPage() };
  };

  /** Nobody gives away more than they have, nor for longer. */
  const assertOwnRole = ({ grant: own }: Subscriber, role: Role) => {
    if (!own) return;
    if (own.session !== undefined) throw notAllowed('a link cannot be made with a link');
    if (!includes(own.role, role)) throw notAllowed(`${own.name} cannot give away the role ${role}, only ${own.role}`);
  };

  const withPage = () => {
    const address = page();
    return address === undefined ? {} : { page: address };
  };

  return {
    'moorage/listPeople': listPeople,
    'moorage/invitePerson': invitePerson,
    'moorage/revokePerson': revokePerson,
    'moorage/shareSession': shareSession,
  } satisfies Handlers;
}

function explained<T>(param: string, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    throw error instanceof PeopleError ? invalidParams(`params/${param}: ${error.message}`) : error;
  }
}
