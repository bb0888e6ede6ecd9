import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/**
 * What our page may do: run and show what this host serves, and talk to this host and those that the configuration names.
 * The page shows text of agents and files that nobody has checked; whatever slips through its own escaping is stopped here.
 */
export function pageHeaders(request: IncomingMessage, otherHosts: readonly string[] = []): OutgoingHttpHeaders {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "img-src 'self' data: blob:",
    ['connect-src', "'self'", ownSocket(request), ...otherHosts.flatMap(withSocket)].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  };
}

/** Both, because the page also asks over HTTP whether the host is there at all. */
function withSocket(origin: string): string[] {
  return [origin, origin.replace(/^http/i, 'ws')];
}

// In older browsers 'self' does not cover the WebSocket of the same origin. The host has already checked the name.
function ownSocket({ headers, socket }: IncomingMessage): string {
  const name = /^[\w.:[\]-]+$/.exec(headers.host ?? '')?.[0] ?? '';
  return name && `${'encrypted' in socket ? 'wss' : 'ws'}://${name}`;
}
