import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface EndpointRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; with it the request is a POST. */
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Milliseconds until there must be a connection, TLS included. */
const CONNECT_WITHIN_MS = 10_000;

/** UTF-16 units that are read of a refusal: far more than anybody is shown, so that its JSON is whole. */
const MAX_REFUSAL_CHARS = 64 * 1024;

/** Sent by all; some gateways refuse a request that does not say who asks. Without the second, any compression would be welcome. */
const HEADERS = { 'user-agent': 'moorage', 'accept-encoding': 'identity' };

/** The endpoint answered with a status that is no success. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly statusCode: number;
  readonly responseHeaders: IncomingHttpHeaders;
  readonly responseBody: string;

  constructor({ statusCode = 0, statusMessage, headers }: IncomingMessage, responseBody: string) {
    super(statusMessage);
    this.statusCode = statusCode;
    this.responseHeaders = headers;
    this.responseBody = responseBody;
  }
}

/** There was no connection, or nothing came over it that is HTTP. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection';
}

/**
 * Sends a request and resolves when the head of a successful answer is there; otherwise rejects with Refused or NoConnection.
 * Redirects are refusals too: they could carry the key and the conversation anywhere.
 */
export async function send(request: EndpointRequest): Promise<IncomingMessage> {
  const answer = await headOf(request);
  const { statusCode = 0, headers } = answer;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (statusCode < 200 || statusCode > 299) {
    throw new Refused(answer, encoding === 'identity' ? await refusalText(answer) : '');
  }
  if (encoding === 'identity') return answer;
  answer.destroy();
  throw new Error(`its answer is compressed (${encoding}) although it was asked not to; turn that off at its server`);
}

/** The text of a body as it arrives: all that has come each time, without a byte order mark. */
export async function* textOf(answer: IncomingMessage): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of answer.setEncoding('utf8')) {
    const text: string = piece;
    yield isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text;
    isFirst = false;
  }
}

/** Asks again at once when the server had closed a connection that was kept since an earlier request. */
async function headOf(request: EndpointRequest): Promise<IncomingMessage> {
  for (;;) {
    const answer = await attempt(request);
    if (answer !== 'stale') return answer;
  }
}

function attempt({ url, headers, body, signal }: EndpointRequest): Promise<IncomingMessage | 'stale'> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const isTls = target.protocol === 'https:';
    const method = body === undefined ? 'GET' : 'POST';
    const request = (isTls ? requestHttps : requestHttp)(target, {
      method,
      headers: { ...HEADERS, ...headers },
      signal,
    });
    let before = 0;
    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error('there was no connection in time'), { code: 'ETIMEDOUT' }));
    }, CONNECT_WITHIN_MS);
    request.once('socket', (socket) => {
      before = socket.bytesRead;
      if (request.reusedSocket) clearTimeout(timer);
      else socket.once(isTls ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    });
    request.once('close', () => clearTimeout(timer));
    request.once('response', resolve);
    request.on('error', (cause: Error) => {
      const isStale = request.reusedSocket && request.socket?.bytesRead === before && !signal.aborted;
      if (isStale) resolve('stale');
      else reject(new NoConnection(cause.message, { cause }));
    });
    request.end(body);
  });
}

/** What it says, as far as it comes. */
async function refusalText(answer: IncomingMessage): Promise<string> {
  let said = '';
  try {
    for await (const text of textOf(answer)) {
      said += text;
      if (said.length > MAX_REFUSAL_CHARS) break;
    }
  } catch {
    // Its status says more than that it broke off.
  }
  return said;
}
