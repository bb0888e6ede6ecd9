import type { Log } from '../../ports/index.js';
import type { Timers } from '../shared/transport/wire-transport.js';
import type { WebSocketClient } from './client.js';
import type { WebSocketLimits } from './limits.js';

/**
 * Disconnects clients that are gone without having closed the connection, such as a closed laptop. One timer serves all
 * clients. Returns a function that stops it.
 */
export function startHeartbeat(
  clients: ReadonlyMap<WebSocketClient, unknown>,
  limits: WebSocketLimits,
  timers: Timers,
  log: Log,
): () => void {
  let timer: unknown;
  const beat = () => {
    for (const client of clients.keys()) {
      if (client.ping(limits)) continue;
      log.write('info', 'connection.timed-out', 'a client no longer answers pings');
      client.cut('no answer to pings');
    }
    timer = timers.setTimeout(beat, limits.pingIntervalMs);
  };
  timer = timers.setTimeout(beat, limits.pingIntervalMs);
  return () => timers.clearTimeout(timer);
}
