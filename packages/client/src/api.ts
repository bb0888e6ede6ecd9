export { RpcError, type Transport } from '@moorage/protocol';
export type { Mirror, MirrorStatus } from './channels/mirror.js';
export type { StatelessChannel } from './channels/stateless.js';
export { allTurns, loadEarlierTurns } from './chat/earlier-turns.js';
export { turnCancelled, turnStarted } from './chat/turn-actions.js';
export type { Client, RequestOptions, SubscribeOptions } from './client.js';
export type { Clock } from './clock.js';
export type { ReconnectOptions } from './connection/backoff.js';
export type { LivenessOptions } from './connection/liveness.js';
export type { ConnectionStatus } from './connection/machine.js';
export {
  ConnectError,
  type ConnectFailure,
  type DeliveryFailure,
  NotDeliveredError,
  ProtocolError,
  RejectedError,
  RequestError,
  type RequestFailure,
} from './errors.js';
export type { ChannelName, ClientOptions, ConnectOptions, ConnectTarget } from './options.js';
export type { WatchSource } from './published-watches.js';
export { randomId } from './random-id.js';
export type { ReverseHandler, ReverseRequest } from './reverse-requests.js';
export { allSessions } from './sessions/all-sessions.js';
export type { ClientRequest, RequestParams, RequestResult } from './wire/params.js';
export type { HostInfo } from './wire/read-handshake.js';
