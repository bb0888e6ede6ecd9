import {
  type Bus,
  type Clock,
  type Credentials,
  createMemoryStore,
  createSessionIndex,
  type Incoming,
  type Log,
} from '@moorage/host';
import { CloseCodes, ExtensionMeta } from '@moorage/protocol';
import type { FleetKeys } from '../identity/fleet-keys.js';
import type { Registry } from '../registry/registry.js';
import { Access } from './access.js';
import { serveEnrolment } from './enrolment.js';
import { FleetSessions } from './fleet-sessions.js';
import { HostLink } from './host-link.js';
import { HostRoute } from './host-route.js';
import { Presence } from './presence.js';
import { RegisterCopy } from './register-copy.js';
import { fleetRequests } from './requests.js';
import { followRevocations } from './revocations.js';

export interface GatewayOptions {
  /** Connected with `gatewayCredential`. */
  readonly bus: Bus;
  /** Connected with `systemCredential`. */
  readonly system: Bus;
  readonly registry: Registry;
  readonly keys: FleetKeys;
  /** The addresses of the bus, as new hosts are told them. */
  readonly busAddresses: readonly string[];
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** One address for all hosts of a fleet. It keeps nothing: any number of them run side by side. */
export interface Gateway {
  readonly protocolVersions: readonly string[];
  readonly credentials: Credentials;
  /** Takes a client that has shown a token: `/` is the index, `/hosts/ID/` that host. */
  accept(incoming: Incoming): void;
  /** The first token of an admin, which can be shown this once; undefined if there is one already. */
  readonly firstToken: string | undefined;
  close(): void;
}

/** Milliseconds between two notes in the register of who is there. */
const SEEN_MS = 10_000;

/** Rejects if the database cannot be read. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { bus, system, registry, keys, version, clock, log } = options;
  const register = new RegisterCopy({ registry, clock, log });
  const access = new Access(register);
  followRevocations(register, system, keys, log);
  await register.start();
  const firstToken = await makeFirstToken(registry, register);

  const links = new Map<string, HostLink>();
  const follow = (id: string) => {
    const host = register.hosts.get(id);
    if (links.has(id) || !presence.has(id) || !host || host.revokedAt !== undefined) return;
    const onChange: ConstructorParameters<typeof HostLink>[0]['onChange'] = (agents, list) =>
      sessions.set(host, agents, list);
    links.set(id, new HostLink({ bus, host: id, clock, log, onChange }));
  };
  const forget = (id: string) => {
    links.get(id)?.close();
    links.delete(id);
    sessions.remove(id);
  };
  const presence = new Presence({ bus, clock, onChange: (id, isHere) => (isHere ? follow(id) : forget(id)) });
  const route = new HostRoute({ bus, clock, log });
  register.onRead(() => {
    for (const { id, revokedAt } of register.hosts.values()) {
      if (revokedAt === undefined) continue;
      route.refuse(id, 'the host was revoked');
      presence.leave(id);
    }
    for (const id of presence.hosts) follow(id); // it may have been enrolled by another gateway a moment ago
  });
  const sessions = new FleetSessions(() => index);
  const index = createSessionIndex({
    store: createMemoryStore(),
    clock,
    log,
    info: { name: 'moorage-gateway', title: 'Moorage', version },
    meta: { 'moorage.build': { name: 'moorage', version }, [ExtensionMeta.gateway]: { version } },
    list: () => sessions.texts,
    addressOf: (session) => sessions.addressOf(session),
    handlers: fleetRequests({ registry, register, access, presence, keys, clock, bus: options.busAddresses }),
  });
  const enrolment = serveEnrolment(bus, registry, keys);
  let seen: unknown;
  const noteSeen = () => {
    void registry.seen(presence.hosts).catch(() => {}); // the next one notes it
    seen = clock.setTimeout(noteSeen, SEEN_MS);
  };
  seen = clock.setTimeout(noteSeen, SEEN_MS);

  return {
    protocolVersions: index.protocolVersions,
    credentials: access,
    firstToken,
    accept: (incoming) => {
      if (!access.watch(incoming) || route.accept(incoming)) return;
      if (incoming.path === undefined || incoming.path === '/') index.accept(incoming);
      else incoming.transport.close(CloseCodes.PolicyViolation, 'there is nothing here: use / or /hosts/ID/');
    },
    close: () => {
      register.close();
      clock.clearTimeout(seen);
      enrolment.end();
      presence.close();
      for (const link of links.values()) link.close();
      index.close();
    },
  };
}

/** A fleet without an admin could not be used. Of gateways that start at the same moment one makes the token. */
async function makeFirstToken(registry: Registry, register: RegisterCopy): Promise<string | undefined> {
  if (register.tokens.some(({ isAdmin }) => isAdmin)) return undefined;
  try {
    const token = await registry.addToken('admin', { isAdmin: true });
    await register.refresh();
    return token;
  } catch (error) {
    await register.refresh();
    if (register.tokens.some(({ isAdmin }) => isAdmin)) return undefined;
    throw error;
  }
}
