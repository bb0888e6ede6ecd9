import type { Log } from '../../ports/index.js';
import type { Timers } from '../shared/transport/connection.js';
import type { WebSocketClient } from './client.js';
import type { WebSocketLimits } from './limits.js';

/**
 * Finds peers that are gone without a word: a laptop that was closed, a network that changed. One timer for all clients.
 * Returns how to stop.
 */
export function startHeartbeat(
  clients: ReadonlySet<WebSocketClient>,
  limits: WebSocketLimits,
  timers: Timers,
  log: Log,
): () => void {
  let timer: unknown;
  const beat = () => {
    for (const client of clients) {
      if (client.ping(limits)) continue;
      log.write('info', 'a client does not answer any more');
      client.cut('no answer to pings');
    }
    timer = timers.setTimeout(beat, limits.pingIntervalMs);
  };
  timer = timers.setTimeout(beat, limits.pingIntervalMs);
  return () => timers.clearTimeout(timer);
}
