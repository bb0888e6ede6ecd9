import type { FleetHost } from '@moorage/protocol';
import type { FleetSessions } from './fleet-sessions.js';
import type { Presence } from './presence.js';
import type { RegisterCopy } from './register-copy.js';

/** All hosts that were ever members, as clients are told of them. */
export function membersOf(
  register: RegisterCopy,
  presence: Presence,
  sessions: Pick<FleetSessions, 'runningOn'>,
): FleetHost[] {
  return [...register.hosts.values()].map(({ id, name, labels, enrolledAt, seenAt, revokedAt }) => ({
    id,
    name,
    labels: [...labels],
    state: revokedAt !== undefined ? 'revoked' : presence.has(id) ? 'here' : 'away',
    enrolledAt,
    seenAt,
    version: presence.versionOf(id),
    unshipped: presence.unshippedOf(id),
    runningSessions: presence.has(id) ? sessions.runningOn(id) : undefined,
  }));
}
