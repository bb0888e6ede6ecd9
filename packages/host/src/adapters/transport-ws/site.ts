import type { IncomingMessage } from 'node:http';
import { ListenError } from '../../ports/index.js';

/** Which names this host answers to, and which pages may connect to it. */
export interface Site {
  /** Whether the request was addressed to us by a name that cannot be an attacker's (DNS rebinding). */
  hostAllowed(request: SiteRequest): boolean;
  /** Whether the page behind the request may connect. No Origin means no browser, where no page can misuse a user. */
  originAllowed(request: SiteRequest): boolean;
}

interface SiteRequest {
  readonly headers: IncomingMessage['headers'];
  readonly socket: { readonly localAddress?: string | undefined; readonly localPort?: number | undefined };
}

export interface SiteOptions {
  readonly secure: boolean;
  /** The address or name that we listen on. */
  readonly host: string;
  /** Other pages that may connect, such as `https://example.org`. Their host names are taken for ours too (a proxy). */
  readonly allowedOrigins: readonly string[];
}

export function createSite({ secure, host, allowedOrigins }: SiteOptions): Site {
  const scheme = secure ? 'https' : 'http';
  const origins = new Set(allowedOrigins.map(normalizedOrigin));
  const hosts = new Set([...origins].map((origin) => origin.slice(origin.indexOf('://') + 3)));
  const bound = addressed(scheme, bracketed(host))?.hostname;

  const hostAllowed = ({ headers, socket }: SiteRequest) => {
    const name = headers.host?.toLowerCase() ?? '';
    if (hosts.has(name)) return true;
    const target = addressed(scheme, name);
    if (target === undefined || portOf(target) !== socket.localPort) return false;
    const { hostname } = target;
    // A literal address cannot be rebound: that the connection arrived at it is enough, also when listening on all.
    return isLoopback(hostname) || hostname === bound || hostname === literal(socket.localAddress);
  };
  const originAllowed = (request: SiteRequest) => {
    // Version 8 of the WebSocket protocol, which `ws` accepts, has its own header for it.
    const origin = request.headers.origin ?? request.headers['sec-websocket-origin'];
    if (origin === undefined) return true;
    if (typeof origin !== 'string') return false;
    if (origins.has(origin.toLowerCase())) return true;
    return hostAllowed(request) && addressed(scheme, request.headers.host ?? '')?.origin === origin.toLowerCase();
  };
  return { hostAllowed, originAllowed };
}

/** An address as it stands in a URL: IPv6 in brackets. */
export function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function addressed(scheme: string, host: string): URL | undefined {
  // The URL parser would also take user names, paths and queries here.
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
  // An IPv4 client of an IPv6 socket: the address as the client wrote it is the mapped one.
  return address === undefined ? undefined : addressed('http', bracketed(address.replace(/^::ffff:/i, '')))?.hostname;
}

function normalizedOrigin(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+\/?$/i.test(text) || !URL.canParse(text)) {
    throw new ListenError('bad-options', `allowedOrigins: "${text}" is not an origin such as https://example.org`);
  }
  const { origin } = new URL(text);
  // The parser knows no origin for the schemes of editors and extensions (vscode-file://, chrome-extension://).
  return origin === 'null' ? text.toLowerCase().replace(/\/$/, '') : origin;
}
