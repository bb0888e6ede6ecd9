import type { Transport } from '@ahpd/protocol';
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
  const { url, token } = options;
  parseAddress(url); // a wrong one fails at once
  return createClient(options, () => openUrl(url, token));
}

/** Opens one connection without a client on it, for those who wrap it before they hand it to `connect`. */
export function openUrl(url: string, token?: string): Promise<Transport> {
  const address = parseAddress(url);
  return address.kind === 'unix' ? openUnixSocket(address.path) : openNodeWebSocket(address.url, token);
}
