import {
  FetchAutomationRunsParamsSchema,
  ListAutomationTriggerDefinitionsParamsSchema,
  RunAutomationParamsSchema,
} from './channels/automation/commands.js';
import { BlameParamsSchema } from './channels/changeset/blame.js';
import { InvokeChangesetOperationParamsSchema } from './channels/changeset/commands.js';
import {
  ListHistoryFilesParamsSchema,
  ListHistoryParamsSchema,
  SuggestCommitMessageParamsSchema,
  UndoHistoryStepParamsSchema,
} from './channels/changeset/history.js';
import { ReviewLinesParamsSchema } from './channels/changeset/review.js';
import {
  CompletionsParamsSchema,
  CreateChatParamsSchema,
  DisposeChatParamsSchema,
  FetchTurnsParamsSchema,
} from './channels/chat/commands.js';
import { ListAuditParamsSchema } from './channels/root/audit.js';
import {
  ListSessionsParamsSchema,
  ResolveSessionConfigParamsSchema,
  SessionConfigCompletionsParamsSchema,
} from './channels/root/commands.js';
import { AddToConfigurationParamsSchema } from './channels/root/configuration.js';
import {
  AddTokenParamsSchema,
  InviteHostParamsSchema,
  ListHostsParamsSchema,
  ListTokensParamsSchema,
  RevokeHostParamsSchema,
  RevokeTokenParamsSchema,
  SetTokenRoleParamsSchema,
  TakeSessionParamsSchema,
} from './channels/root/fleet.js';
import { CreatePairingCodeParamsSchema } from './channels/root/pairing.js';
import {
  InvitePersonParamsSchema,
  ListPeopleParamsSchema,
  RevokePersonParamsSchema,
  ShareSessionParamsSchema,
} from './channels/root/people.js';
import {
  GetPushKeyParamsSchema,
  SubscribePushParamsSchema,
  UnsubscribePushParamsSchema,
} from './channels/root/push.js';
import { SearchConversationsParamsSchema } from './channels/root/search.js';
import { AdoptSessionParamsSchema, ListEarlierSessionsParamsSchema } from './channels/session/adopt.js';
import { CreateSessionParamsSchema, DisposeSessionParamsSchema } from './channels/session/commands.js';
import { CompareSessionsParamsSchema } from './channels/session/compare.js';
import { ListDisposedSessionsParamsSchema, RestoreSessionParamsSchema } from './channels/session/restore.js';
import { ListWatchersParamsSchema } from './channels/session/watchers.js';
import { CreateTerminalParamsSchema, DisposeTerminalParamsSchema } from './channels/terminal/commands.js';
import type { Static } from './common/type.js';
import { AuthenticateParamsSchema } from './connection/authentication.js';
import { InitializeParamsSchema, PingParamsSchema, ReconnectParamsSchema } from './connection/handshake.js';
import type { JsonRpcErrorResponse } from './connection/json-rpc.js';
import { SubscribeParamsSchema } from './connection/subscription.js';
import { type Direction, type RequestRow, request } from './message-rows.js';
import type { notifications } from './notifications.js';
import { requestResults } from './request-results.js';
import { resourceRequests } from './resource-requests.js';

/** Every request: exactly one response each. */
export const requests = {
  initialize: request('clientToHost', 'root', InitializeParamsSchema, requestResults.initialize),
  ping: request('clientToHost', 'root', PingParamsSchema, requestResults.ping),
  reconnect: request('clientToHost', 'root', ReconnectParamsSchema, requestResults.reconnect),
  subscribe: request('clientToHost', 'any', SubscribeParamsSchema, requestResults.subscribe),
  createSession: request('clientToHost', 'session', CreateSessionParamsSchema, requestResults.createSession),
  disposeSession: request('clientToHost', 'session', DisposeSessionParamsSchema, requestResults.disposeSession),
  createChat: request('clientToHost', 'session', CreateChatParamsSchema, requestResults.createChat),
  disposeChat: request('clientToHost', 'chat', DisposeChatParamsSchema, requestResults.disposeChat),
  createTerminal: request('clientToHost', 'terminal', CreateTerminalParamsSchema, requestResults.createTerminal),
  disposeTerminal: request('clientToHost', 'terminal', DisposeTerminalParamsSchema, requestResults.disposeTerminal),
  createResourceWatch: resourceRequests.createResourceWatch,
  listSessions: request('clientToHost', 'root', ListSessionsParamsSchema, requestResults.listSessions),
  resourceRead: resourceRequests.resourceRead,
  resourceWrite: resourceRequests.resourceWrite,
  resourceList: resourceRequests.resourceList,
  resourceCopy: resourceRequests.resourceCopy,
  resourceDelete: resourceRequests.resourceDelete,
  resourceMove: resourceRequests.resourceMove,
  resourceResolve: resourceRequests.resourceResolve,
  resourceMkdir: resourceRequests.resourceMkdir,
  resourceRequest: resourceRequests.resourceRequest,
  fetchTurns: request('clientToHost', 'chat', FetchTurnsParamsSchema, requestResults.fetchTurns),
  authenticate: request('clientToHost', 'root', AuthenticateParamsSchema, requestResults.authenticate),
  resolveSessionConfig: request(
    'clientToHost',
    'root',
    ResolveSessionConfigParamsSchema,
    requestResults.resolveSessionConfig,
  ),
  sessionConfigCompletions: request(
    'clientToHost',
    'root',
    SessionConfigCompletionsParamsSchema,
    requestResults.sessionConfigCompletions,
  ),
  completions: request('clientToHost', 'chat', CompletionsParamsSchema, requestResults.completions),
  invokeChangesetOperation: request(
    'clientToHost',
    'changeset',
    InvokeChangesetOperationParamsSchema,
    requestResults.invokeChangesetOperation,
  ),
  listAutomationTriggerDefinitions: request(
    'clientToHost',
    'root',
    ListAutomationTriggerDefinitionsParamsSchema,
    requestResults.listAutomationTriggerDefinitions,
  ),
  runAutomation: request('clientToHost', 'automation', RunAutomationParamsSchema, requestResults.runAutomation),
  fetchAutomationRuns: request(
    'clientToHost',
    'automation',
    FetchAutomationRunsParamsSchema,
    requestResults.fetchAutomationRuns,
  ),
  // Beyond the specification: hosts without them answer -32601 (docs/PROTOCOL.md).
  listDisposedSessions: request(
    'clientToHost',
    'root',
    ListDisposedSessionsParamsSchema,
    requestResults.listDisposedSessions,
  ),
  restoreSession: request('clientToHost', 'session', RestoreSessionParamsSchema, requestResults.restoreSession),
  'moorage/listHistory': request(
    'clientToHost',
    'root',
    ListHistoryParamsSchema,
    requestResults['moorage/listHistory'],
  ),
  'moorage/listHistoryFiles': request(
    'clientToHost',
    'root',
    ListHistoryFilesParamsSchema,
    requestResults['moorage/listHistoryFiles'],
  ),
  'moorage/undoHistoryStep': request(
    'clientToHost',
    'root',
    UndoHistoryStepParamsSchema,
    requestResults['moorage/undoHistoryStep'],
  ),
  'moorage/suggestCommitMessage': request(
    'clientToHost',
    'changeset',
    SuggestCommitMessageParamsSchema,
    requestResults['moorage/suggestCommitMessage'],
  ),
  'moorage/redoHistoryStep': request(
    'clientToHost',
    'root',
    UndoHistoryStepParamsSchema,
    requestResults['moorage/redoHistoryStep'],
  ),
  'moorage/blame': request('clientToHost', 'changeset', BlameParamsSchema, requestResults['moorage/blame']),
  'moorage/compareSessions': request(
    'clientToHost',
    'session',
    CompareSessionsParamsSchema,
    requestResults['moorage/compareSessions'],
  ),
  'moorage/reviewLines': request(
    'clientToHost',
    'changeset',
    ReviewLinesParamsSchema,
    requestResults['moorage/reviewLines'],
  ),
  'moorage/getPushKey': request('clientToHost', 'root', GetPushKeyParamsSchema, requestResults['moorage/getPushKey']),
  'moorage/subscribePush': request(
    'clientToHost',
    'root',
    SubscribePushParamsSchema,
    requestResults['moorage/subscribePush'],
  ),
  'moorage/unsubscribePush': request(
    'clientToHost',
    'root',
    UnsubscribePushParamsSchema,
    requestResults['moorage/unsubscribePush'],
  ),
  'moorage/createPairingCode': request(
    'clientToHost',
    'root',
    CreatePairingCodeParamsSchema,
    requestResults['moorage/createPairingCode'],
  ),
  'moorage/listAudit': request('clientToHost', 'root', ListAuditParamsSchema, requestResults['moorage/listAudit']),
  'moorage/listWatchers': request(
    'clientToHost',
    'session',
    ListWatchersParamsSchema,
    requestResults['moorage/listWatchers'],
  ),
  'moorage/listPeople': request('clientToHost', 'root', ListPeopleParamsSchema, requestResults['moorage/listPeople']),
  'moorage/invitePerson': request(
    'clientToHost',
    'root',
    InvitePersonParamsSchema,
    requestResults['moorage/invitePerson'],
  ),
  'moorage/revokePerson': request(
    'clientToHost',
    'root',
    RevokePersonParamsSchema,
    requestResults['moorage/revokePerson'],
  ),
  'moorage/shareSession': request(
    'clientToHost',
    'session',
    ShareSessionParamsSchema,
    requestResults['moorage/shareSession'],
  ),
  'moorage/addToConfiguration': request(
    'clientToHost',
    'root',
    AddToConfigurationParamsSchema,
    requestResults['moorage/addToConfiguration'],
  ),
  'moorage/searchConversations': request(
    'clientToHost',
    'root',
    SearchConversationsParamsSchema,
    requestResults['moorage/searchConversations'],
  ),
  'moorage/listEarlierSessions': request(
    'clientToHost',
    'root',
    ListEarlierSessionsParamsSchema,
    requestResults['moorage/listEarlierSessions'],
  ),
  'moorage/adoptSession': request(
    'clientToHost',
    'session',
    AdoptSessionParamsSchema,
    requestResults['moorage/adoptSession'],
  ),
  // Of the gateway of a fleet (docs/FLEET.md).
  'moorage/listHosts': request('clientToHost', 'root', ListHostsParamsSchema, requestResults['moorage/listHosts']),
  'moorage/inviteHost': request('clientToHost', 'root', InviteHostParamsSchema, requestResults['moorage/inviteHost']),
  'moorage/revokeHost': request('clientToHost', 'root', RevokeHostParamsSchema, requestResults['moorage/revokeHost']),
  'moorage/takeSession': request(
    'clientToHost',
    'session',
    TakeSessionParamsSchema,
    requestResults['moorage/takeSession'],
  ),
  'moorage/listTokens': request('clientToHost', 'root', ListTokensParamsSchema, requestResults['moorage/listTokens']),
  'moorage/addToken': request('clientToHost', 'root', AddTokenParamsSchema, requestResults['moorage/addToken']),
  'moorage/setTokenRole': request(
    'clientToHost',
    'root',
    SetTokenRoleParamsSchema,
    requestResults['moorage/setTokenRole'],
  ),
  'moorage/revokeToken': request(
    'clientToHost',
    'root',
    RevokeTokenParamsSchema,
    requestResults['moorage/revokeToken'],
  ),
};

type Requests = typeof requests;
type Notifications = typeof notifications;
type Sent<Rows extends Record<string, { direction: Direction }>, D extends Direction> = {
  [M in keyof Rows]: Rows[M]['direction'] extends D | 'both' ? M : never;
}[keyof Rows];

/** What a client may ask of a host. */
export type CommandMap = {
  [M in keyof Requests]: { params: Static<Requests[M]['params']>; result: Static<Requests[M]['result']> };
};
/** What a host may ask of a client. */
export type ServerCommandMap = Pick<CommandMap, Sent<Requests, 'hostToClient'>>;
/** The notifications that a client may send. */
export type ClientNotificationMap = {
  [M in Sent<Notifications, 'clientToHost'>]: { params: Static<Notifications[M]['params']> };
};
/** The notifications that a host may send. */
export type ServerNotificationMap = {
  [M in Sent<Notifications, 'hostToClient'>]: { params: Static<Notifications[M]['params']> };
};

type RequestIn<Map> = {
  [M in keyof Map]: Map[M] extends { params: infer P }
    ? { jsonrpc: '2.0'; id: number | string; method: M; params: P }
    : never;
}[keyof Map];
type SuccessIn<Map> = {
  [M in keyof Map]: Map[M] extends { result: infer R } ? { jsonrpc: '2.0'; id: number | string; result: R } : never;
}[keyof Map];
type NotificationIn<Map> = {
  [M in keyof Map]: Map[M] extends { params: infer P } ? { jsonrpc: '2.0'; method: M; params: P } : never;
}[keyof Map];

/** Whole JSON-RPC messages, typed by their method. */
export type AhpRequest = RequestIn<CommandMap>;
export type AhpServerRequest = RequestIn<ServerCommandMap>;
export type AhpSuccessResponse = SuccessIn<CommandMap>;
export type AhpServerSuccessResponse = SuccessIn<ServerCommandMap>;
export type AhpClientNotification = NotificationIn<ClientNotificationMap>;
export type AhpServerNotification = NotificationIn<ServerNotificationMap>;
export type AhpNotification = AhpClientNotification | AhpServerNotification;
/** Anything that may travel in either direction. */
export type ProtocolMessage =
  | AhpRequest
  | AhpServerRequest
  | AhpSuccessResponse
  | AhpServerSuccessResponse
  | JsonRpcErrorResponse
  | AhpNotification;

const requestRows: ReadonlyMap<string, RequestRow> = new Map(Object.entries(requests));
/** The row of a request, if there is such a method. */
export function requestRow(method: string): RequestRow | undefined {
  return requestRows.get(method);
}
