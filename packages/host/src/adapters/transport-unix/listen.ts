import { createServer } from 'node:net';
import { CloseCodes } from '@moorage/protocol';
import { type Incoming, type Listener, type Log, silentLog } from '../../ports/index.js';
import { nodeClock } from '../shared/clock/node-clock.js';
import { createLineTransport, type LineTransport } from '../shared/ndjson/transport.js';
import { handOver, LOCAL_CLIENT } from '../shared/transport/hand-over.js';
import { stopListening } from '../shared/transport/listening.js';
import type { Timers } from '../shared/transport/wire-transport.js';
import { DEFAULT_UNIX_LIMITS, type UnixLimits } from './limits.js';
import { listenAtPath } from './socket-file.js';

export interface UnixListenerOptions {
  /** The path of the socket. */
  readonly path: string;
  /** Called with each connection; usually `host.accept`. */
  readonly onClient: (incoming: Incoming) => void;
  /** Bounds; those that are left out have their defaults. */
  readonly limits?: Partial<UnixLimits>;
  /** The time; default: the system's. */
  readonly clock?: Timers;
  /** Where it writes what happens; default: nowhere. */
  readonly log?: Log;
}

/** Accepts clients on a socket file. The file's permissions are the only access check. */
export async function listenUnixSocket(options: UnixListenerOptions): Promise<Listener> {
  const { path, onClient, log = silentLog, clock: timers = nodeClock } = options;
  const limits = { ...DEFAULT_UNIX_LIMITS, ...options.limits };
  const clients = new Set<LineTransport>();

  const server = createServer((socket) => {
    const client = createLineTransport({ input: socket, output: socket, limits, timers, log });
    clients.add(client);
    socket.once('close', () => clients.delete(client));
    handOver(client.connection, LOCAL_CLIENT, onClient, log);
  });
  server.maxConnections = limits.maxConnections;
  server.on('drop', () =>
    log.write('warn', 'connection.too-many', 'too many clients on the unix socket', { limit: limits.maxConnections }),
  );
  const removeFile = await listenAtPath(server, path, log);

  let closing: Promise<void> | undefined;
  const close = async () => {
    const stopped = stopListening(server);
    for (const { connection } of clients) connection.close(CloseCodes.GoingAway, 'the host stops');
    // Also destroys clients that were closed earlier and are still within their own grace period.
    const grace = timers.setTimeout(() => {
      for (const client of clients) client.destroy();
    }, limits.closeGraceMs);
    await removeFile();
    await stopped;
    timers.clearTimeout(grace);
  };
  return {
    address: path,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
