import type { IncomingMessage } from 'node:http';
import { ListenError } from '../../ports/index.js';

/** The names that this host answers to, and the pages that may connect to it. */
export interface Site {
  /** Whether the request names this host in a way that no attacker can control, as by DNS rebinding. */
  hostAllowed(request: SiteRequest): boolean;
  /** Whether the page that made the request may connect. Requests without an Origin may: they do not come from a page. */
  originAllowed(request: SiteRequest): boolean;
}

interface SiteRequest {
  readonly headers: IncomingMessage['headers'];
  readonly socket: { readonly localAddress?: string | undefined; readonly localPort?: number | undefined };
}

export interface SiteOptions {
  readonly secure: boolean;
  /** The address or name that the host listens on. */
  readonly host: string;
  /** Other pages that may connect, such as `https://example.org`. Their host names are allowed as the host's own (proxies). */
  readonly allowedOrigins: readonly string[];
}

export function createSite({ secure, host, allowedOrigins }: SiteOptions): Site {
  const scheme = secure ? 'https' : 'http';
  const origins = new Set(allowedOrigins.map(normalizedOrigin));
  const hosts = new Set([...origins].map((origin) => origin.slice(origin.indexOf('://') + 3)));
  const boundName = parseHost(scheme, bracketed(host))?.hostname;

  const hostAllowed = ({ headers, socket }: SiteRequest) => {
    const name = headers.host?.toLowerCase() ?? '';
    if (hosts.has(name)) return true;
    const target = parseHost(scheme, name);
    if (target === undefined || portOf(target) !== socket.localPort) return false;
    const { hostname } = target;
    // A literal address cannot be rebound. It is allowed if the connection arrived at it, even when listening on all addresses.
    return isLoopback(hostname) || hostname === boundName || hostname === literal(socket.localAddress);
  };
  const originAllowed = (request: SiteRequest) => {
    // Version 8 of the WebSocket protocol, which `ws` accepts, has a different header for the origin.
    const origin = request.headers.origin ?? request.headers['sec-websocket-origin'];
    if (origin === undefined) return true;
    if (typeof origin !== 'string') return false;
    if (origins.has(origin.toLowerCase())) return true;
    return hostAllowed(request) && parseHost(scheme, request.headers.host ?? '')?.origin === origin.toLowerCase();
  };
  return { hostAllowed, originAllowed };
}

/** The name in a request's Host header, without the port; undefined if there is none. */
export function hostNameOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return parseHost('http', headers.host ?? '')?.hostname;
}

/** An address as written in a URL: IPv6 in brackets. */
export function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function parseHost(scheme: string, host: string): URL | undefined {
  // The URL parser would also accept user names, paths and queries.
  if (!/^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.test(host)) return undefined;
  return URL.canParse(`${scheme}://${host}`) ? new URL(`${scheme}://${host}`) : undefined;
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function literal(address: string | undefined): string | undefined {
  // On an IPv6 socket, an IPv4 client's address is mapped; the client itself wrote the plain IPv4 address.
  return address === undefined ? undefined : parseHost('http', bracketed(address.replace(/^::ffff:/i, '')))?.hostname;
}

function normalizedOrigin(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+\/?$/i.test(text) || !URL.canParse(text)) {
    throw new ListenError('bad-options', `allowedOrigins: "${text}" is not an origin such as https://example.org`);
  }
  const { origin } = new URL(text);
  // The URL parser gives no origin for the schemes of editors and extensions (vscode-file://, chrome-extension://).
  return origin === 'null' ? text.toLowerCase().replace(/\/$/, '') : origin;
}
