import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/**
 * What a page of ours may do: run and show what this host serves, talk to this host and to those that its configuration
 * names, and nothing else. Agents and files fill the page with text that nobody has checked; what slips through the page's
 * own care ends here.
 */
export function pageHeaders(request: IncomingMessage, otherHosts: readonly string[] = []): OutgoingHttpHeaders {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
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

/** The WebSocket, and the question whether the host is there at all. */
function withSocket(origin: string): string[] {
  return [origin, origin.replace(/^http/i, 'ws')];
}

// Older browsers do not take 'self' for the WebSocket of the same origin. The host has checked the name before.
function ownSocket({ headers, socket }: IncomingMessage): string {
  const name = /^[\w.:[\]-]+$/.exec(headers.host ?? '')?.[0] ?? '';
  return name && `${'encrypted' in socket ? 'wss' : 'ws'}://${name}`;
}
