import type { IncomingMessage } from 'node:http';
import { FULL, NOT_READY, type Refusal, UNAUTHORIZED, WRONG_ORIGIN } from './answer.js';
import type { Credentials } from './credentials.js';
import { presentedToken } from './presented-token.js';
import type { Site } from './site.js';

export interface AdmissionOptions {
  readonly site: Site;
  readonly credentials: Credentials;
  readonly isReady: () => boolean;
  readonly hasRoom: () => boolean;
}

/** Decides on a request to become a WebSocket, before a single frame is heard. */
export function admit(options: AdmissionOptions, request: IncomingMessage): { credential: string } | Refusal {
  // First the page, so that one which may not connect cannot learn whether a token is right.
  if (!options.site.originAllowed(request)) return WRONG_ORIGIN;
  const token = presentedToken(request);
  const credential = token === undefined ? undefined : options.credentials.check(token);
  if (credential === undefined) return UNAUTHORIZED;
  if (!options.isReady()) return NOT_READY;
  return options.hasRoom() ? { credential } : FULL;
}
