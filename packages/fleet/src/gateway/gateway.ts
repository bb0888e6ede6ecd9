import {
  acceptAtKeptHost,
  type Bus,
  type Clock,
  type Credentials,
  createMemoryStore,
  createSessionIndex,
  type Incoming,
  type Log,
  NO_TELEMETRY,
  type SignedIn,
  type Telemetry,
  userCredential,
  userOf,
} from '@moorage/host';
import { CloseCodes, ExtensionMeta } from '@moorage/protocol';
import type { GatewayAudit } from '../audit/audit-postgres.js';
import { serveFiles } from '../files/file-keeper.js';
import { MAX_HOST_FILE_BYTES } from '../files/limits.js';
import type { FleetKeys } from '../identity/fleet-keys.js';
import { startKeeper } from '../keeping/keeper.js';
import { serveMoves } from '../move/move-server.js';
import { takingSessions } from '../move/take-session.js';
import type { Registry } from '../registry/registry.js';
import type { FleetStore } from '../store/fleet-store.js';
import { Access } from './access.js';
import { dialForClient } from './dial-client.js';
import { serveEnrolment } from './enrolment.js';
import { addressOfHost, FleetSessions } from './fleet-sessions.js';
import { HostLink } from './host-link.js';
import { HostRoute } from './host-route.js';
import { keptHost } from './kept-host.js';
import { membersOf } from './members.js';
import { placingSessions } from './placing.js';
import { Presence } from './presence.js';
import { RegisterCopy } from './register-copy.js';
import { fleetRequests } from './requests.js';
import { type Retention, startRetaining } from './retention.js';
import { followRevocations } from './revocations.js';
import { sessionListing } from './session-listing.js';

export interface GatewayOptions {
  /** Connected with `gatewayCredential`. */
  readonly bus: Bus;
  /** Connected with `systemCredential`. */
  readonly system: Bus;
  readonly registry: Registry;
  /** What hosts ship is stored there, and read while they are away. */
  readonly store: FleetStore;
  readonly retention: Retention;
  /** Bytes of files in sessions' folders that are kept of each host; 0 to keep none. */
  readonly maxHostFileBytes?: number | undefined;
  /** Who did what at gateways. */
  readonly audit: GatewayAudit;
  readonly keys: FleetKeys;
  /** The addresses of the bus, as new hosts are told them. */
  readonly busAddresses: readonly string[];
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry?: Telemetry | undefined;
}

/** One address for all hosts of a fleet. It keeps nothing: any number of them run side by side. */
export interface Gateway {
  readonly protocolVersions: readonly string[];
  readonly credentials: Credentials;
  /** Takes a client that has shown a token: `/` is the index, `/hosts/ID/` that host. */
  accept(incoming: Incoming): void;
  /** A token for somebody who has signed in with a provider. Rejects with a PeopleError for those who must stay out. */
  admit(somebody: SignedIn): Promise<string>;
  /** The first token of an admin, which can be shown this once; undefined if there is one already. */
  readonly firstToken: string | undefined;
  /** Resolves once what hosts have shipped so far is stored. */
  close(): Promise<void>;
}

/** Sessions of which it is remembered where they were made; hosts list theirs within milliseconds. */
const MAX_PLACED = 1_000;

/** Milliseconds between two notes in the register of who is there. */
const SEEN_MS = 10_000;

/** Rejects if the database cannot be read. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { bus, system, registry, store, audit, keys, version, clock, log, telemetry = NO_TELEMETRY } = options;
  const register = new RegisterCopy({ registry, clock, log });
  const access = new Access(register, clock);
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
    sessions.remove({ id, name: register.hosts.get(id)?.name ?? id });
  };
  const presence = new Presence({
    bus,
    clock,
    onChange: (id, isHere) => {
      if (isHere) follow(id);
      else forget(id);
      route.changed(id, isHere);
    },
  });
  const isHere = (id: string) => presence.has(id) && register.hosts.get(id)?.revokedAt === undefined;
  const acceptAway = (id: string, incoming: Incoming) => {
    const host = register.hosts.get(id);
    if (!host || isHere(id) || (host.revokedAt === undefined && !presence.isComplete)) return false;
    acceptAtKeptHost(incoming, keptHost({ host, store, version, clock, log }));
    return true;
  };
  const route = new HostRoute({ bus, clock, log, acceptAway });
  register.onRead(() => {
    for (const { id, revokedAt } of register.hosts.values()) if (revokedAt !== undefined) presence.leave(id);
    for (const id of presence.hosts) follow(id); // it may have been enrolled by another gateway a moment ago
  });
  const sessions = new FleetSessions(() => index);
  const hosts = () => membersOf(register, presence, sessions);
  /** Sessions that were made here, until their hosts list them. */
  const placed = new Map<string, string>();
  const addressOf = async (session: string) => {
    const owner = sessions.ownerOf(session) ?? placed.get(session) ?? (await store.sessions.owner(session))?.host;
    return owner && addressOfHost(owner);
  };
  const index = createSessionIndex({
    store: createMemoryStore(),
    clock,
    log,
    info: { name: 'moorage-gateway', title: 'Moorage', version },
    meta: { 'moorage.build': { name: 'moorage', version }, [ExtensionMeta.gateway]: { version } },
    list: sessionListing({ live: sessions, kept: store.sessions, hosts: () => register.hosts, isHere, log }),
    addressOf,
    audit,
    handlers: {
      ...fleetRequests({ registry, register, access, hosts, keys, clock, bus: options.busAddresses }),
      ...placingSessions({
        hosts,
        userOf: ({ credential }) => access.userNamed(userOf(credential) ?? ''),
        dial: (host, user) => dialForClient({ bus, host, from: { connection: crypto.randomUUID(), user }, clock, log }),
        addressOf,
        onCreated: (session, host) => {
          placed.set(session, host);
          const [oldest] = placed.keys();
          if (oldest !== undefined && placed.size > MAX_PLACED) placed.delete(oldest);
        },
      }),
      'moorage/takeSession': takingSessions({ bus, store, keys, clock, presence, hosts: () => register.hosts }),
    },
  });
  const enrolment = serveEnrolment(bus, registry, keys);
  const keeper = startKeeper({ bus, store, log, telemetry });
  const files = serveFiles({ bus, store, maxHostBytes: options.maxHostFileBytes ?? MAX_HOST_FILE_BYTES, log });
  const moves = serveMoves({ bus, store, keys, clock, log });
  telemetry.observe('ahp.fleet.hosts', () => presence.hosts.length);
  telemetry.observe('ahp.fleet.sessions', () => sessions.all.length);
  telemetry.observe('ahp.fleet.clients', () => access.connections);
  const retaining = startRetaining({ store, retention: options.retention, clock, log });
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
    admit: async (somebody) => {
      const token = await registry.signIn(somebody);
      await register.refresh();
      return token;
    },
    accept: (shown) => {
      const user = access.watch(shown);
      if (!user) return;
      const incoming = { ...shown, credential: userCredential(user.name), vouched: user };
      if (route.accept(incoming, user)) return;
      if (incoming.path === undefined || incoming.path === '/') index.accept(incoming);
      else incoming.transport.close(CloseCodes.PolicyViolation, 'there is nothing here: use / or /hosts/ID/');
    },
    close: async () => {
      retaining.stop();
      register.close();
      clock.clearTimeout(seen);
      enrolment.end();
      files.end();
      moves.end();
      presence.close();
      for (const link of links.values()) link.close();
      index.close();
      await keeper.close();
      await audit.settled();
    },
  };
}

/** A fleet without an admin could not be used. Of gateways that start at the same moment one makes the token. */
async function makeFirstToken(registry: Registry, register: RegisterCopy): Promise<string | undefined> {
  if (register.tokens.some(({ isAdmin }) => isAdmin)) return undefined;
  try {
    const token = await registry.addToken('admin', 'admin');
    await register.refresh();
    return token;
  } catch (error) {
    await register.refresh();
    if (register.tokens.some(({ isAdmin }) => isAdmin)) return undefined;
    throw error;
  }
}
