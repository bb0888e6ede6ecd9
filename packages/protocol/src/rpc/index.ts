export { type CloseCode, CloseCodes } from './close-codes.js';
export { type ErrorBody, JsonRpcErrorCodes, RequestAbandonedError, RpcError, TransportClosedError } from './errors.js';
export { DEFAULT_LIMITS, type RpcLimits } from './limits.js';
export { createTransportPair } from './memory-transport.js';
export type { RequestOptions, Timers } from './outgoing.js';
export type { RpcParams } from './parse.js';
export { createPeer, type Peer, type PeerOptions } from './peer.js';
export type { CloseInfo, Transport } from './transport.js';
export { TransportListeners } from './transport-listeners.js';
