import { Buffer } from 'node:buffer';
import { CloseCodes, type Transport } from '@moorage/protocol';
import { type Bus, BusError } from '../../ports/bus.js';
import { type Log, silentLog } from '../../ports/index.js';
import { nodeClock } from '../shared/clock/node-clock.js';
import type { Timers } from '../shared/transport/wire-transport.js';
import { createBusConnection } from './connection.js';
import { type BusTransportLimits, DEFAULT_BUS_TRANSPORT_LIMITS, whereShared } from './limits.js';
import type { Opened, OpenRequest } from './listen.js';
import { hostSubjects } from './subjects.js';

export interface DialOptions {
  /** The bus that the host is at. */
  readonly bus: Bus;
  /** The id of the host. */
  readonly host: string;
  /** Who connects. */
  readonly from: OpenRequest;
  /** Whether it is a connection on which clients of a gateway get what they see alike. */
  readonly isWay?: boolean;
  /** How long to wait for the host. */
  readonly timeoutMs?: number;
  /** Bounds; those that are left out have their defaults. */
  readonly limits?: Partial<BusTransportLimits>;
  /** The time; default: the system's. */
  readonly clock?: Timers;
  /** Where it writes what happens; default: nowhere. */
  readonly log?: Log;
}

/** The gateway's end of a connection to a host. */
export interface DialledHost extends Transport {
  /** Whether it has the place in a shared connection that was asked for. */
  readonly isShared: boolean;
  /** Bytes that wait to be sent. */
  readonly backlog: number;
  /** Called when nothing waits any more. */
  onDrain(listener: () => void): void;
  /** While it is paused, nothing is delivered, and the host notices that its client does not read. */
  pause(): void;
  /** Reads on after `pause`. */
  resume(): void;
}

/** Bytes of one message of a host, as many as its clients take: an answer may have far more than what one may ask. */
const MAX_FROM_HOST_BYTES = 256 * 1024 * 1024;

/** Milliseconds for a host to answer: as long as it may be busy with something else. */
const OPEN_MS = 5_000;

/** The host knows nothing of the connection in which a place was asked for: it was started anew. */
export class WayLostError extends Error {
  override readonly name = 'WayLostError';
}

/** Connects to a host of the fleet. Rejects with a BusError when it is away, and with an Error when it refuses. */
export async function dialHost(options: DialOptions): Promise<DialledHost> {
  const { bus, host, from, clock: timers = nodeClock, log = silentLog, timeoutMs = OPEN_MS } = options;
  const all = { ...DEFAULT_BUS_TRANSPORT_LIMITS, maxMessageBytes: MAX_FROM_HOST_BYTES, ...options.limits };
  const limits = from.share ? whereShared(all) : all;
  const subjects = hostSubjects(host);
  const to = subjects.toHost(from.connection);
  const onEnd = () => {
    received.end();
    state.end();
  };
  const { transport, pipe } = createBusConnection({ bus, to, limits, timers, log, onEnd });
  const received = bus.subscribe(subjects.fromHost(from.connection), ({ body }) => pipe.receive(body));
  pipe.pause(); // whoever dials attaches its listeners first
  const state = bus.onState((isUp) => {
    if (!isUp) pipe.endNow({ code: CloseCodes.TryAgainLater, reason: 'the bus is down' });
  });
  let isShared = false;
  try {
    await bus.flush();
    const ask = options.isWay ? subjects.share : from.user ? subjects.enter : subjects.open;
    const answer = await bus.request(ask, Buffer.from(JSON.stringify(from)), timeoutMs);
    const opened = JSON.parse(Buffer.from(answer).toString()) as Opened;
    const { refusal } = opened;
    if (opened.isLost) throw new WayLostError(`the host refuses the connection: ${refusal}`);
    isShared = opened.isShared === true;
    if (refusal !== undefined) throw new Error(`the host refuses the connection: ${refusal}`);
  } catch (error) {
    pipe.endNow({ code: CloseCodes.TryAgainLater });
    throw error instanceof SyntaxError ? new BusError('late', 'the host answered with something else') : error;
  }
  return {
    isShared,
    send: (text) => transport.send(text),
    close: (code, reason) => transport.close(code, reason),
    onMessage: (listener) => transport.onMessage(listener),
    onClose: (listener) => transport.onClose(listener),
    onDrain: (listener) => transport.onDrain(listener),
    get backlog() {
      return transport.backlog;
    },
    pause: () => pipe.pause(),
    resume: () => pipe.resume(),
  };
}
