import { ConnectError } from '../errors.js';

export type Address =
  | { readonly kind: 'websocket'; readonly url: string }
  | { readonly kind: 'unix'; readonly path: string };

/** Where a URL leads: ws, wss, http and https to a WebSocket, `unix:/path` to a socket file. */
export function parseAddress(url: string, base?: string): Address {
  if (url.startsWith('unix:')) return { kind: 'unix', path: url.slice('unix:'.length).replace(/^\/\//, '') };
  let parsed: URL;
  try {
    parsed = new URL(url, base);
  } catch (cause) {
    throw new ConnectError('unreachable', `${url} is not a URL`, { cause });
  }
  const protocol = WEBSOCKET_PROTOCOLS.get(parsed.protocol);
  if (!protocol) throw new ConnectError('unreachable', `${url} is not a ws, wss, http, https or unix URL`);
  parsed.protocol = protocol;
  parsed.hash = ''; // a link to the host's page may have one; a WebSocket may not
  return { kind: 'websocket', url: parsed.href };
}

const WEBSOCKET_PROTOCOLS: ReadonlyMap<string, string> = new Map([
  ['ws:', 'ws:'],
  ['wss:', 'wss:'],
  ['http:', 'ws:'],
  ['https:', 'wss:'],
]);
