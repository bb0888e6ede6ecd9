import type { Transport } from '@moorage/protocol';
import { createClient } from './ahp-client.js';
import type { Client } from './client.js';
import type { ConnectOptions } from './options.js';
import { parseAddress } from './transport/address.js';
import { openNodeWebSocket } from './transport/node-websocket.js';
import { openUnixSocket } from './transport/unix-socket.js';

export * from './api.js';

/**
 * Connects to a host: by URL (`ws:`, `wss:`, `http:`, `https:`, or `unix:/path/to.sock`) or over transports of your own.
 * Rejects with a `ConnectError` when the first attempt fails; a connection that was made once comes back by itself.
 */
export function connect(options: ConnectOptions): Promise<Client> {
  return createClient(options, openUrl);
}

/** Opens one connection without a client on it, for programs that wrap it before they hand it to `connect`. */
export async function openUrl(url: string, token?: string): Promise<Transport> {
  const address = parseAddress(url);
  return address.kind === 'unix' ? openUnixSocket(address.path) : openNodeWebSocket(address.url, token);
}
