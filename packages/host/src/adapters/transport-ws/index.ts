export { createWebSocketAcceptor, type WebSocketAcceptor, type WebSocketAcceptorOptions } from './acceptor.js';
export { type Credentials, createTokenCredentials } from './credentials.js';
export type { TlsOptions } from './http-server.js';
export { listenWebSocket, type WebSocketListener, type WebSocketListenerOptions } from './listen.js';
export { PairingCodes, type PairingCodesOptions } from './pairing-codes.js';
export type { HttpHandler } from './plain-http.js';
