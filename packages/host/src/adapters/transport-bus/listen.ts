import { Buffer } from 'node:buffer';
import { CloseCodes } from '@moorage/protocol';
import type { Bus } from '../../ports/bus.js';
import { type Incoming, type Listener, type Log, silentLog } from '../../ports/index.js';
import { nodeClock } from '../shared/clock/node-clock.js';
import { handOver } from '../shared/transport/hand-over.js';
import type { Timers } from '../shared/transport/wire-transport.js';
import { type BusConnection, createBusConnection } from './connection.js';
import { type BusTransportLimits, DEFAULT_BUS_TRANSPORT_LIMITS } from './limits.js';
import { hostSubjects, SUBJECT_WORD } from './subjects.js';

export interface BusListenerOptions {
  /** The bus that clients come by. */
  readonly bus: Bus;
  /** The id of this host in its fleet. */
  readonly host: string;
  /** Called with each connection; usually `host.accept`. */
  readonly onClient: (incoming: Incoming) => void;
  /** Bounds; those that are left out have their defaults. */
  readonly limits?: Partial<BusTransportLimits>;
  /** The time; default: the system's. */
  readonly clock?: Timers;
  /** Where it writes what happens; default: nowhere. */
  readonly log?: Log;
}

/** What a gateway says of a client that wants to connect. The gateway has checked who it is. */
export interface OpenRequest {
  /** Names the connection. */
  readonly connection: string;
  /** The name of the credential that was presented. */
  readonly credential: string;
  /** The address that the client used. */
  readonly reachedAs?: string | undefined;
}

/** Accepts clients that gateways pass on over a bus. The host listens on no address: it dials the bus. */
export function listenBus(options: BusListenerOptions): Listener {
  const { bus, host, onClient, clock: timers = nodeClock, log = silentLog } = options;
  const limits = { ...DEFAULT_BUS_TRANSPORT_LIMITS, ...options.limits };
  const subjects = hostSubjects(host);
  const connections = new Map<string, BusConnection>();
  let isClosing = false;

  const open = (request: OpenRequest): string | undefined => {
    const { connection: id, credential, reachedAs } = request;
    if (isClosing) return 'the host stops';
    if (connections.has(id)) return 'there is such a connection';
    if (connections.size >= limits.maxConnections) return 'too many clients';
    const to = subjects.fromHost(id);
    const connection = createBusConnection({ bus, to, limits, timers, log, onEnd: () => connections.delete(id) });
    connections.set(id, connection);
    handOver(connection.transport, { credential, reachedAs }, onClient, log);
    return undefined;
  };

  const received = bus.subscribe(subjects.toHost('*'), ({ subject, body }) => {
    const id = subject.split('.').at(-2) ?? '';
    connections.get(id)?.pipe.receive(body);
  });
  const opened = bus.serve(subjects.open, async ({ body }) => {
    const request = readOpenRequest(body);
    const refusal = request ? open(request) : 'not understood';
    return Buffer.from(JSON.stringify(refusal === undefined ? {} : { refusal }));
  });
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
      opened.end();
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

function readOpenRequest(body: Uint8Array): OpenRequest | undefined {
  try {
    const { connection, credential, reachedAs } = JSON.parse(Buffer.from(body).toString());
    if (!SUBJECT_WORD.test(connection) || typeof credential !== 'string' || credential === '') return undefined;
    return { connection, credential, ...(typeof reachedAs === 'string' && { reachedAs }) };
  } catch {
    return undefined;
  }
}
