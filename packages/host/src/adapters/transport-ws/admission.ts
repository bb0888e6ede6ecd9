import type { IncomingMessage } from 'node:http';
import { FULL, NOT_READY, type Refusal, TOO_MANY_TRIES, UNAUTHORIZED, WRONG_ORIGIN } from './answer.js';
import type { Credentials } from './credentials.js';
import { presentedToken } from './presented-token.js';
import type { Site } from './site.js';
import type { WrongTokens } from './wrong-tokens.js';

export interface AdmissionOptions {
  readonly site: Site;
  readonly credentials: Credentials;
  readonly isReady: () => boolean;
  readonly hasRoom: (credential: string) => boolean;
  readonly wrongTokens: WrongTokens;
}

/** Decides whether a request may become a WebSocket, before any frame is read. */
export function admit(
  options: AdmissionOptions,
  request: IncomingMessage,
  address: string,
): { credential: string } | Refusal {
  // The origin first, so that a page that may not connect cannot find out whether a token is valid.
  if (!options.site.originAllowed(request)) return WRONG_ORIGIN;
  const token = presentedToken(request);
  if (token === undefined) return UNAUTHORIZED;
  if (!options.wrongTokens.mayTry(address)) return TOO_MANY_TRIES;
  const credential = options.credentials.check(token);
  if (credential === undefined) {
    options.wrongTokens.count(address);
    return UNAUTHORIZED;
  }
  if (!options.isReady()) return NOT_READY;
  return options.hasRoom(credential) ? { credential } : FULL;
}
