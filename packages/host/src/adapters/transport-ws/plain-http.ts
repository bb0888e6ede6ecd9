import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../ports/index.js';
import { faultFields } from '../shared/transport/fault.js';
import { answer, FAULT, NOT_FOUND, NOT_READY, WRONG_HOST, WRONG_METHOD } from './answer.js';
import type { PairingCodes } from './pairing-codes.js';
import { answerPairing, isPairingRequest } from './pairing-request.js';
import type { RefusalLog } from './refusal-log.js';
import type { Site } from './site.js';

/** Answers a GET or HEAD that is not a health check. Returns false, having written nothing, if it does not know the path. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

export interface PlainHttpOptions {
  readonly site: Site;
  readonly isReady: () => boolean;
  readonly http: HttpHandler | undefined;
  readonly log: Log;
  readonly pairing?: PairingCodes | undefined;
  readonly signIn?: HttpHandler | undefined;
  readonly refusals: RefusalLog;
}

/** Answers a request that does not become a WebSocket. Never rejects. */
export async function servePlainHttp(
  options: PlainHttpOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await route(options, request, response);
  } catch (error) {
    options.log.write('error', 'http.failed', 'answering an HTTP request failed', faultFields(error));
    if (response.headersSent) response.destroy();
    else answer(response, FAULT);
  }
}

async function route(
  { site, isReady, http, pairing, signIn, refusals }: PlainHttpOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (pairing && isPairingRequest(request))
    return answerPairing({ site, isReady, pairing, refusals }, request, response);
  const mayAsk = signIn && isReady() && site.hostAllowed(request) && site.originAllowed(request);
  if (mayAsk && (await signIn(request, response))) return;
  if (request.method !== 'GET' && request.method !== 'HEAD') return answer(response, WRONG_METHOD);
  switch (request.url?.split('?', 1)[0]) {
    // Before the check of the host name: schedulers and proxies may use any name, and probes reveal nothing sensitive.
    case '/healthz':
      return answer(response, { status: 200, line: 'alive' });
    case '/readyz':
      return answer(response, isReady() ? { status: 200, line: 'ready' } : NOT_READY);
  }
  if (!site.hostAllowed(request)) return answer(response, WRONG_HOST);
  if (!(await http?.(request, response))) answer(response, NOT_FOUND);
}
