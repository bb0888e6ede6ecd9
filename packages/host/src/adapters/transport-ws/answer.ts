import { type IncomingMessage, ServerResponse } from 'node:http';

/** A refusal, sent as an HTTP status with one line. The line never repeats anything from the request. */
export interface Refusal {
  readonly status: number;
  readonly line: string;
}

export const UNAUTHORIZED: Refusal = { status: 401, line: 'a valid token is required' };
export const WRONG_HOST: Refusal = { status: 403, line: 'this host does not answer to that name' };
export const WRONG_ORIGIN: Refusal = { status: 403, line: 'this page may not connect' };
export const NOT_FOUND: Refusal = { status: 404, line: 'not found' };
export const WRONG_METHOD: Refusal = { status: 405, line: 'only GET and HEAD' };
export const TOO_MANY_TRIES: Refusal = { status: 429, line: 'too many wrong tokens; try again in a moment' };
export const FAULT: Refusal = { status: 500, line: 'internal error' };
export const NOT_READY: Refusal = { status: 503, line: 'not serving' };
export const FULL: Refusal = { status: 503, line: 'too many connections' };

export function answer(response: ServerResponse, { status, line }: Refusal): void {
  const body = `${line}\n`;
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 429 && { 'retry-after': '1' }),
    ...(status === 405 && { allow: 'GET, HEAD' }),
  });
  response.end(body);
}

/**
 * A response to a request that asked for an upgrade. The socket is closed after it. Undefined, with the socket destroyed, if
 * the response to an earlier request on the same socket is not complete: this one could not be sent in order.
 */
export function responseTo(request: IncomingMessage): ServerResponse | undefined {
  const { socket } = request;
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.on('finish', () => socket.end(() => socket.destroy()));
  try {
    response.assignSocket(socket);
    return response;
  } catch {
    socket.destroy();
    return undefined;
  }
}
