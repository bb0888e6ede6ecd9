import type { IncomingMessage } from 'node:http';

/**
 * The token in a request: in the header, else in a subprotocol, else in the query. Only the first one found counts, even if
 * it is empty or wrong; otherwise one request could try several tokens.
 */
export function presentedToken({ headers, url }: Pick<IncomingMessage, 'headers' | 'url'>): string | undefined {
  const bearer = /^bearer(?: +(.*))?$/i.exec(headers.authorization ?? '');
  if (bearer) return bearer[1] ?? '';

  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const subprotocol = offered.find((name) => name.startsWith(BEARER_SUBPROTOCOL));
  if (subprotocol !== undefined) return subprotocol.slice(BEARER_SUBPROTOCOL.length);

  const query = new URLSearchParams(/\?.*/s.exec(url ?? '')?.[0]);
  return query.get('token') ?? query.get('tkn') ?? undefined;
}

/** The subprotocol to answer with. Never the one with the token, which proxies and browsers would show. */
export function selectSubprotocol(offered: ReadonlySet<string>): string | false {
  return offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false;
}

const SUBPROTOCOL = 'ahp';
const BEARER_SUBPROTOCOL = 'ahp.bearer.';
