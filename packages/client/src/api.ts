export {
  type ActionEnvelope,
  type ActionOf,
  type AgentInfo,
  type AnnotationsState,
  type ChangesetState,
  type ChannelKind,
  type ChannelStates,
  type ChatInputQuestion,
  type ChatInputRequest,
  type ChatState,
  type ChatSummary,
  chatUri,
  errorOf,
  type FleetHost,
  fileUri,
  kindOfUri,
  type Message,
  type PlainAnswer,
  plainAnswers,
  type ResourceWatchState,
  type ResponsePart,
  ROOT_URI,
  type RootState,
  RpcError,
  type SessionState,
  type SessionSummary,
  type SimpleUri,
  type StateAction,
  type SubscribeView,
  sessionUri,
  type TerminalState,
  type ToolCallState,
  type Transport,
  type Turn,
  terminalUri,
} from '@moorage/protocol';
export type { EnvelopeOf, Mirror, MirrorStatus } from './channels/mirror.js';
export type { StatelessChannel } from './channels/stateless.js';
export type { Answers } from './chat/answers.js';
export type { ApproveOptions, ChatMirror, DenyOptions, SentMessage } from './chat/chat-mirror.js';
export { allTurns, loadEarlierTurns } from './chat/earlier-turns.js';
export {
  type PendingApproval,
  type PendingQuestions,
  type PendingRequest,
  type PendingResult,
  pendingRequests,
} from './chat/pending-requests.js';
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
export { scheduleInWords, triggerInWords } from './schedule-words.js';
export { allSessions } from './sessions/all-sessions.js';
export type { SessionList, SessionListOptions } from './sessions/session-list.js';
export { type Activity, readStatus, type StatusInfo } from './sessions/status.js';
export { type NotYet, type WhenOptions, when } from './when.js';
export type { ClientRequest, RequestParams, RequestResult } from './wire/params.js';
export type { HostInfo } from './wire/read-handshake.js';
