export { type CloseCode, CloseCodes } from './close-codes.js';
export { EncodedJson } from './encode.js';
export { type ErrorBody, JsonRpcErrorCodes, RequestAbandonedError, RpcError, TransportClosedError } from './errors.js';
export {
  DEFAULT_LIMITS,
  MAX_FRAME_CHARS,
  MAX_INFLIGHT_REQUESTS,
  MAX_JSON_DEPTH,
  MAX_PENDING_REQUESTS,
  type RpcLimits,
} from './limits.js';
export { lineReader } from './line-reader.js';
export { createTransportPair } from './memory-transport.js';
export type { RequestOptions, Timers } from './outgoing.js';
export { type Frame, parseFrame, type RpcId, type RpcParams } from './parse.js';
export { createPeer, type Peer, type PeerOptions } from './peer.js';
export type { CloseInfo, Transport } from './transport.js';
export { TransportListeners } from './transport-listeners.js';
