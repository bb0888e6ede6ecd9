import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { NotificationOutcome } from '../../ports/notifications.js';

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer | string;
  readonly signal: AbortSignal;
  /** How the name is resolved; default: the system's. */
  readonly lookup?: LookupFunction | undefined;
}

/** Sends one request and reads nothing of the answer but its status. Follows no redirect. Never rejects. */
export function post({ url, headers, body, signal, lookup }: Post): Promise<NotificationOutcome> {
  return new Promise((resolve) => {
    const send = url.protocol === 'http:' ? requestHttp : requestHttps;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      signal: limited,
      agent: false,
      ...(lookup && { lookup }),
    });
    request.on('response', (response) => {
      response.on('error', () => {});
      response.destroy(); // the body could be endless
      resolve(outcomeOf(response.statusCode ?? 0));
    });
    request.on('error', (error) => resolve({ kind: 'failed', reason: error.message, mayRetry: true }));
    request.end(body);
  });
}

/** Milliseconds for the whole exchange. */
const ANSWER_MS = 15_000;

function outcomeOf(status: number): NotificationOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const mayRetry = status === 429 || status >= 500;
  return { kind: 'failed', reason: `it answered with status ${status}`, mayRetry };
}
