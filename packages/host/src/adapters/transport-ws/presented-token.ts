import type { IncomingMessage } from 'node:http';

/**
 * The token that a request shows. A header comes before a subprotocol, before the query. The first that is there decides,
 * even when it is empty or wrong: trying the next would let one request test several.
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

/** The subprotocol to answer with. Never the one that holds the token, which proxies and browsers would show. */
export function selectSubprotocol(offered: ReadonlySet<string>): string | false {
  return offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false;
}

const SUBPROTOCOL = 'ahp';
const BEARER_SUBPROTOCOL = 'ahp.bearer.';
