import type { IncomingMessage, ServerResponse } from 'node:http';
import { answer, NOT_READY, type Refusal, TOO_MANY_TRIES, WRONG_HOST, WRONG_ORIGIN } from './answer.js';
import type { PairingCodes } from './pairing-codes.js';
import { peerAddress } from './peer-address.js';
import type { RefusalLog } from './refusal-log.js';
import type { Site } from './site.js';

export interface PairingRequestOptions {
  readonly site: Site;
  readonly isReady: () => boolean;
  readonly pairing: PairingCodes;
  readonly refusals: RefusalLog;
}

/** Whether a request wants to exchange a pairing code for the token. */
export function isPairingRequest({ method, url }: IncomingMessage): boolean {
  return method === 'POST' && url === '/pair';
}

/** The code is in a header of its own, which no page of another origin can send without being asked first. */
export function answerPairing(
  options: PairingRequestOptions,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const address = peerAddress(request.socket.remoteAddress);
  const result = redeemed(options, request, address);
  if ('status' in result) {
    options.refusals.warn('connection.refused', 'a client was refused', address, { status: result.status });
    answer(response, result);
    return;
  }
  const body = JSON.stringify(result);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}

function redeemed(
  { site, isReady, pairing }: PairingRequestOptions,
  request: IncomingMessage,
  address: string,
): { readonly token: string } | Refusal {
  if (!site.hostAllowed(request)) return WRONG_HOST;
  if (!site.originAllowed(request)) return WRONG_ORIGIN;
  if (!isReady()) return NOT_READY;
  const code = request.headers[HEADER];
  const result = typeof code === 'string' && code.length <= MAX_CODE_CHARS ? pairing.redeem(code, address) : 'wrong';
  if (result === 'too-many') return TOO_MANY_TRIES;
  return result === 'wrong' ? WRONG_CODE : result;
}

const HEADER = 'x-moorage-pairing';
const MAX_CODE_CHARS = 64;

/** Not 401: a browser would take that for a question. */
const WRONG_CODE: Refusal = {
  status: 403,
  line: 'the code is wrong, was used, or is too old; moorage pair makes another',
};
