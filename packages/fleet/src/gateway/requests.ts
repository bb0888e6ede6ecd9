import type { Clock, Handlers, IndexClient } from '@moorage/host';
import { AhpErrorCodes, JsonRpcErrorCodes, RpcError } from '@moorage/protocol';
import type { FleetKeys } from '../identity/fleet-keys.js';
import { enrolmentCredential } from '../identity/members.js';
import { writeEnrolmentToken } from '../member/enrolment-token.js';
import type { Registry } from '../registry/registry.js';
import type { Access } from './access.js';
import type { FleetSessions } from './fleet-sessions.js';
import type { Presence } from './presence.js';
import type { RegisterCopy } from './register-copy.js';

export interface FleetRequestsOptions {
  readonly registry: Registry;
  readonly register: RegisterCopy;
  readonly access: Access;
  readonly presence: Presence;
  readonly sessions: Pick<FleetSessions, 'runningOn'>;
  readonly keys: FleetKeys;
  readonly clock: Pick<Clock, 'now'>;
  /** The addresses of the bus, as new hosts are told them. */
  readonly bus: readonly string[];
}

/** An invitation is used within the hour, or was forgotten in somebody's shell history. */
const INVITATION_MS = 60 * 60_000;
const MAX_INVITATION_MS = 30 * 24 * 60 * 60_000;
const MAX_LABELS = 32;

/** The requests by which people look after the fleet. */
export function fleetRequests(options: FleetRequestsOptions): Handlers<IndexClient> {
  const { registry, register, access, presence, sessions, keys, clock, bus } = options;
  const assertAdmin = ({ credential }: IndexClient) => {
    if (!access.isAdmin(credential))
      throw new RpcError(AhpErrorCodes.PermissionDenied, 'only admins of the fleet may do this', { data: {} });
  };
  return {
    'moorage/listHosts': () => ({
      items: [...register.hosts.values()].map(({ id, name, labels, enrolledAt, seenAt, revokedAt }) => ({
        id,
        name,
        labels: [...labels],
        state: revokedAt !== undefined ? 'revoked' : presence.has(id) ? 'here' : 'away',
        enrolledAt,
        seenAt,
        version: presence.versionOf(id),
        unshipped: presence.unshippedOf(id),
        runningSessions: presence.has(id) ? sessions.runningOn(id) : undefined,
      })),
    }),
    'moorage/inviteHost': async ({ labels, validMs = INVITATION_MS }, client) => {
      assertAdmin(client);
      if (validMs > MAX_INVITATION_MS) throw invalid('an invitation can be good for 30 days at most');
      if (labels.length > MAX_LABELS || !labels.every((label) => WORD.test(label)))
        throw invalid(`labels are at most ${MAX_LABELS}, of letters, digits and any of . _ - =`);
      const expiresAt = clock.now() + validMs;
      const { id, secret } = await registry.invite(labels, expiresAt);
      const credential = await enrolmentCredential(keys, id, expiresAt);
      return { token: writeEnrolmentToken({ id, secret, credential }), expiresAt, bus: [...bus] };
    },
    'moorage/revokeHost': async ({ host }, client) => {
      assertAdmin(client);
      if (!(await registry.revokeHost(host)))
        throw new RpcError(AhpErrorCodes.NotFound, `there is no host ${host} in the fleet, or it is revoked already`);
      await register.refresh(); // which tells the bus
      return null;
    },
    'moorage/listTokens': (_params, client) => {
      assertAdmin(client);
      return { items: register.tokens.map(({ name, isAdmin }) => ({ name, isAdmin })) };
    },
    'moorage/addToken': async ({ name, isAdmin }, client) => {
      assertAdmin(client);
      if (!WORD.test(name)) throw invalid('a name has 1 to 64 letters, digits and any of . _ - = @');
      if (register.tokens.some((token) => token.name === name))
        throw new RpcError(AhpErrorCodes.AlreadyExists, `there is a token named ${name}: revoke it first`);
      const token = await registry.addToken(name, { isAdmin });
      await register.refresh();
      return { token };
    },
    'moorage/revokeToken': async ({ name }, client) => {
      assertAdmin(client);
      const others = register.tokens.filter((token) => token.isAdmin && token.name !== name);
      if (others.length === 0) throw invalid('this is the last token of an admin: add another one first');
      if (!(await registry.revokeToken(name)))
        throw new RpcError(AhpErrorCodes.NotFound, `there is no token named ${name}`);
      await register.refresh();
      return null;
    },
  };
}

const WORD = /^[\w.=@-]{1,64}$/;

function invalid(message: string): RpcError {
  return new RpcError(JsonRpcErrorCodes.InvalidParams, message);
}
