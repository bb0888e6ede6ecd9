import type { Transport } from '@moorage/protocol';
import { createClient } from './ahp-client.js';
import type { Client } from './client.js';
import { ConnectError } from './errors.js';
import type { ConnectOptions } from './options.js';
import { parseAddress } from './transport/address.js';
import { openBrowserWebSocket } from './transport/browser-websocket.js';

// The same exports as in index.ts, whose types both entries share.
export * from './api.js';

/** As in Node, without `unix:`; a relative URL is taken from the page's address. */
export function connect(options: ConnectOptions): Promise<Client> {
  return createClient(options, openUrl);
}

export async function openUrl(url: string, token?: string): Promise<Transport> {
  const address = parseAddress(url, globalThis.location?.href);
  if (address.kind === 'unix') throw new ConnectError('unreachable', 'a page cannot open a unix socket');
  return openBrowserWebSocket(address.url, token);
}
