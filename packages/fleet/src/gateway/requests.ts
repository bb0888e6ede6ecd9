import { type Clock, type Handlers, type IndexClient, userOf } from '@moorage/host';
import { AhpErrorCodes, type FleetHost, JsonRpcErrorCodes, RpcError } from '@moorage/protocol';
import type { FleetKeys } from '../identity/fleet-keys.js';
import { enrolmentCredential } from '../identity/members.js';
import { writeEnrolmentToken } from '../member/enrolment-token.js';
import type { Registry } from '../registry/registry.js';
import type { Access } from './access.js';
import type { RegisterCopy } from './register-copy.js';

export interface FleetRequestsOptions {
  readonly registry: Registry;
  readonly register: RegisterCopy;
  readonly access: Access;
  readonly hosts: () => readonly FleetHost[];
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
  const { registry, register, access, hosts, keys, clock, bus } = options;
  const assertAdmin = ({ credential }: IndexClient) => {
    if (!access.isAdmin(userOf(credential) ?? ''))
      throw new RpcError(AhpErrorCodes.PermissionDenied, 'only admins of the fleet may do this', { data: {} });
  };
  const assertOtherAdmin = (name: string) => {
    if (register.tokens.some((token) => token.isAdmin && token.expiresAt === undefined && token.name !== name)) return;
    throw invalid('this is the last token of an admin: add another one first');
  };
  return {
    'moorage/listHosts': () => ({ items: [...hosts()] }),
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
      const byName = new Map(register.tokens.map(({ hash: _, revokedAt: __, ...shown }) => [shown.name, shown]));
      return { items: [...byName.values()] };
    },
    'moorage/addToken': async ({ name, role }, client) => {
      assertAdmin(client);
      if (!WORD.test(name)) throw invalid('a name has 1 to 64 letters, digits and any of . _ - = @');
      if (register.tokens.some((token) => token.name === name))
        throw new RpcError(AhpErrorCodes.AlreadyExists, `there is a token named ${name}: revoke it first`);
      const token = await registry.addToken(name, role);
      await register.refresh();
      return { token };
    },
    'moorage/setTokenRole': async ({ name, role }, client) => {
      assertAdmin(client);
      if (role !== 'admin') assertOtherAdmin(name);
      if (!(await registry.setTokenRole(name, role))) throw noToken(name);
      await register.refresh();
      return null;
    },
    'moorage/revokeToken': async ({ name }, client) => {
      assertAdmin(client);
      assertOtherAdmin(name);
      if (!(await registry.revokeToken(name))) throw noToken(name);
      await register.refresh();
      return null;
    },
  };
}

const WORD = /^[\w.=@-]{1,64}$/;

function noToken(name: string): RpcError {
  return new RpcError(AhpErrorCodes.NotFound, `there is no token named ${name}`);
}

function invalid(message: string): RpcError {
  return new RpcError(JsonRpcErrorCodes.InvalidParams, message);
}
