import { Buffer } from 'node:buffer';
import { CloseCodes, isObject, type JsonObject } from '@moorage/protocol';
import type { Bus } from '../../ports/bus.js';
import {
  type ClientTransport,
  type Incoming,
  type Listener,
  type Log,
  ROLES,
  type Role,
  silentLog,
  userCredential,
} from '../../ports/index.js';
import { nodeClock } from '../shared/clock/node-clock.js';
import { handOver } from '../shared/transport/hand-over.js';
import type { Timers } from '../shared/transport/wire-transport.js';
import { type BusConnection, createBusConnection } from './connection.js';
import { type BusTransportLimits, DEFAULT_BUS_TRANSPORT_LIMITS, whereShared } from './limits.js';
import { BusWay } from './shared-way.js';
import { hostSubjects, SUBJECT_WORD } from './subjects.js';

export interface BusListenerOptions {
  /** The bus that clients come by. */
  readonly bus: Bus;
  /** The id of this host in its fleet. */
  readonly host: string;
  /** Called with each connection; usually `host.accept`. */
  readonly onClient: (incoming: Incoming) => void;
  /** Wraps what people are sent, such as to hold it back for a while; what gateways themselves are sent is not wrapped. */
  readonly toPeople?: (transport: ClientTransport) => ClientTransport;
  /** Bounds; those that are left out have their defaults. */
  readonly limits?: Partial<BusTransportLimits>;
  /** The time; default: the system's. */
  readonly clock?: Timers;
  /** Where it writes what happens; default: nowhere. */
  readonly log?: Log;
}

/** Who wants to connect, as a gateway says. */
export interface OpenRequest {
  /** Names the connection. */
  readonly connection: string;
  /** A user, whom the gateway has checked; without it, the gateway itself. */
  readonly user?: FleetUser | undefined;
  /** The address that the client used. */
  readonly reachedAs?: string | undefined;
  /** The connection on which the client gets what others get, too, and its number there. */
  readonly share?: ShareRequest | undefined;
}

/** Where a client gets what others get, too. */
export interface ShareRequest {
  /** Names the connection that they share. */
  readonly way: string;
  /** Names the client there. */
  readonly client: number;
}

/** A user of the fleet. */
export interface FleetUser {
  /** By which others know them. */
  readonly name: string;
  /** What they may do on every host. */
  readonly role: Role;
}

/** Accepts clients that gateways pass on over a bus. The host listens on no address: it dials the bus. */
export function listenBus(options: BusListenerOptions): Listener {
  const {
    bus,
    host,
    onClient,
    toPeople = (transport) => transport,
    clock: timers = nodeClock,
    log = silentLog,
  } = options;
  const limits = { ...DEFAULT_BUS_TRANSPORT_LIMITS, ...options.limits };
  const subjects = hostSubjects(host);
  const connections = new Map<string, BusConnection>();
  const ways = new Map<string, BusWay>();
  let isClosing = false;

  const connect = (id: string, own = limits): BusConnection | string => {
    if (isClosing) return 'the host stops';
    if (connections.has(id)) return 'there is such a connection';
    if (connections.size >= limits.maxConnections) return 'too many clients';
    const to = subjects.fromHost(id);
    const connection = createBusConnection({
      bus,
      to,
      limits: own,
      timers,
      log,
      onEnd: () => connections.delete(id),
    });
    connections.set(id, connection);
    return connection;
  };
  const open = ({ connection: id, user, reachedAs, share }: OpenRequest): Opened => {
    const way = share && ways.get(share.way);
    if (share && !way) return { refusal: 'the connection that is shared has ended', isLost: true };
    const connection = connect(id, way && whereShared(limits));
    if (typeof connection === 'string') return { refusal: connection };
    const transport = user ? toPeople(connection.transport) : connection.transport;
    const who = user ? { credential: userCredential(user.name), vouched: user } : { credential: GATEWAY };
    const shared = share && way?.place(share.client, transport);
    handOver(transport, { ...who, reachedAs, shared }, onClient, log);
    return shared ? { isShared: true } : {};
  };
  const openWay = ({ connection: id }: OpenRequest): Opened => {
    const connection = connect(id);
    if (typeof connection === 'string') return { refusal: connection };
    ways.set(id, new BusWay(toPeople(connection.transport)));
    connection.transport.onClose(() => ways.delete(id));
    return {};
  };

  const received = bus.subscribe(subjects.toHost('*'), ({ subject, body }) => {
    const id = subject.split('.').at(-2) ?? '';
    connections.get(id)?.pipe.receive(body);
  });
  const answer = (request: OpenRequest | undefined, opened: (request: OpenRequest) => Opened) =>
    Buffer.from(JSON.stringify(request ? opened(request) : NOT_UNDERSTOOD));
  // Only gateways may speak on these subjects: the bus enforces that. So what they say of a user counts.
  const opened = [
    bus.serve(subjects.open, async ({ body }) => answer(readOpening(body), open)),
    bus.serve(subjects.enter, async ({ body }) => answer(readEntering(body), open)),
    bus.serve(subjects.share, async ({ body }) => answer(readOpening(body), openWay)),
  ];
  // What was lost meanwhile cannot be known. Clients come back by the next gateway that they find.
  const state = bus.onState((isUp) => {
    if (isUp) return;
    for (const { pipe } of connections.values()) pipe.endNow({ code: CloseCodes.Abnormal, reason: 'the bus is down' });
  });

  return {
    address: `fleet:${host}`,
    close: async () => {
      if (isClosing) return;
      isClosing = true;
      for (const served of opened) served.end();
      const ended = [...connections.values()].map(
        ({ transport }) => new Promise<void>((resolve) => transport.onClose(() => resolve())),
      );
      for (const { transport } of connections.values()) transport.close(CloseCodes.GoingAway, 'the host stops');
      await Promise.all(ended);
      await bus.flush().catch(() => {}); // the last packets say that it stops
      received.end();
      state.end();
    },
  };
}

/** A host's answer to whoever wants to connect. */
export interface Opened {
  readonly refusal?: string;
  /** It knows nothing of what was to be shared: it was started anew. */
  readonly isLost?: boolean;
  readonly isShared?: boolean;
}

const NOT_UNDERSTOOD: Opened = { refusal: 'not understood: upgrade the gateways of the fleet before its hosts' };

/** The credential of a gateway, which looks at the lists of its hosts. */
const GATEWAY = 'gateway';

/** The gateway itself. One from before there were roles asks here for users, too; it does not say what they may do. */
function readOpening(body: Uint8Array): OpenRequest | undefined {
  const { connection, credential } = membersOf(body);
  return isWord(connection) && (credential === undefined || credential === GATEWAY) ? { connection } : undefined;
}

function readEntering(body: Uint8Array): OpenRequest | undefined {
  const { connection, user, reachedAs, share } = membersOf(body);
  if (!isWord(connection) || !isObject(user)) return undefined;
  const { name, role: named } = user;
  const role = ROLES.find((known) => known === named);
  if (typeof name !== 'string' || name === '' || role === undefined) return undefined;
  const place = readShare(share);
  return {
    connection,
    user: { name, role },
    ...(typeof reachedAs === 'string' && { reachedAs }),
    ...(place && { share: place }),
  };
}

function readShare(value: unknown): ShareRequest | undefined {
  if (!isObject(value)) return undefined;
  const { way, client } = value;
  return isWord(way) && Number.isSafeInteger(client) ? { way, client: client as number } : undefined;
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && SUBJECT_WORD.test(value);
}

function membersOf(body: Uint8Array): JsonObject {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
