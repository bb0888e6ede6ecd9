import { createClient } from './ahp-client.js';
import type { Client } from './client.js';
import type { ConnectOptions } from './options.js';
import { parseAddress } from './transport/address.js';
import { openNodeWebSocket } from './transport/node-websocket.js';
import { openUnixSocket } from './transport/unix-socket.js';

export * from './api.js';

/**
 * Connects to a host: by URL (`ws:`, `wss:`, `http:`, `https:`, or `unix:/path/to.sock`) or over transports of your own.
 * Rejects with a `ConnectError` when the first attempt fails; a connection that was made comes back by itself.
 */
export async function connect(options: ConnectOptions): Promise<Client> {
  if ('transport' in options) return createClient(options, options.transport);
  const { token } = options;
  const address = parseAddress(options.url);
  return createClient(options, () =>
    address.kind === 'unix' ? openUnixSocket(address.path) : openNodeWebSocket(address.url, token),
  );
}
