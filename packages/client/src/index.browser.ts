import { createClient } from './ahp-client.js';
import type { Client } from './client.js';
import { ConnectError } from './errors.js';
import type { ConnectOptions } from './options.js';
import { parseAddress } from './transport/address.js';
import { openBrowserWebSocket } from './transport/browser-websocket.js';

export * from './api.js';

/** As in Node, without `unix:`; a relative URL is taken from the page's address. */
export async function connect(options: ConnectOptions): Promise<Client> {
  if ('transport' in options) return createClient(options, options.transport);
  const { token } = options;
  const address = parseAddress(options.url, globalThis.location?.href);
  if (address.kind === 'unix') throw new ConnectError('unreachable', 'a page cannot open a unix socket');
  return createClient(options, () => openBrowserWebSocket(address.url, token));
}
