import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { ListenError } from '../../ports/index.js';
import type { WebSocketLimits } from './limits.js';

/** A certificate and its key, in PEM form. */
export interface TlsOptions {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** An HTTP or HTTPS server with time limits, so that slow and silent clients cannot occupy it. */
export function createServer(tls: TlsOptions | undefined, limits: WebSocketLimits, onRequest: RequestListener): Server {
  const options = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
  };
  const server = tls
    ? createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headersTimeoutMs }, onRequest)
    : createHttpServer(options, onRequest);
  server.setTimeout(limits.idleTimeoutMs);
  return server;
}

function createTlsServer(options: Parameters<typeof createHttpsServer>[0], onRequest: RequestListener): Server {
  try {
    return createHttpsServer(options, onRequest);
  } catch (error) {
    throw new ListenError('bad-options', 'the TLS certificate or key cannot be used', { cause: error });
  }
}
