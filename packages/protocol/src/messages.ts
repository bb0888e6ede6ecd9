import {
  FetchAutomationRunsParamsSchema,
  FetchAutomationRunsResultSchema,
  ListAutomationTriggerDefinitionsParamsSchema,
  ListAutomationTriggerDefinitionsResultSchema,
  RunAutomationParamsSchema,
  RunAutomationResultSchema,
} from './channels/automation/commands.js';
import { BlameParamsSchema, BlameResultSchema } from './channels/changeset/blame.js';
import {
  InvokeChangesetOperationParamsSchema,
  InvokeChangesetOperationResultSchema,
} from './channels/changeset/commands.js';
import {
  ListHistoryFilesParamsSchema,
  ListHistoryFilesResultSchema,
  ListHistoryParamsSchema,
  ListHistoryResultSchema,
  SuggestCommitMessageParamsSchema,
  SuggestCommitMessageResultSchema,
  UndoHistoryStepParamsSchema,
  UndoHistoryStepResultSchema,
} from './channels/changeset/history.js';
import { ReviewLinesParamsSchema } from './channels/changeset/review.js';
import {
  CompletionsParamsSchema,
  CompletionsResultSchema,
  CreateChatParamsSchema,
  DisposeChatParamsSchema,
  FetchTurnsParamsSchema,
  FetchTurnsResultSchema,
} from './channels/chat/commands.js';
import {
  CreateResourceWatchParamsSchema,
  CreateResourceWatchResultSchema,
} from './channels/resource-watch/commands.js';
import { ListAuditParamsSchema, ListAuditResultSchema } from './channels/root/audit.js';
import {
  ListSessionsParamsSchema,
  ListSessionsResultSchema,
  ResolveSessionConfigParamsSchema,
  ResolveSessionConfigResultSchema,
  SessionConfigCompletionsParamsSchema,
  SessionConfigCompletionsResultSchema,
} from './channels/root/commands.js';
import { AddToConfigurationParamsSchema, AddToConfigurationResultSchema } from './channels/root/configuration.js';
import {
  AddTokenParamsSchema,
  AddTokenResultSchema,
  InviteHostParamsSchema,
  InviteHostResultSchema,
  ListHostsParamsSchema,
  ListHostsResultSchema,
  ListTokensParamsSchema,
  ListTokensResultSchema,
  RevokeHostParamsSchema,
  RevokeTokenParamsSchema,
  SetTokenRoleParamsSchema,
  TakeSessionParamsSchema,
  TakeSessionResultSchema,
} from './channels/root/fleet.js';
import {
  ProgressParamsSchema,
  SessionAddedParamsSchema,
  SessionRemovedParamsSchema,
  SessionSummaryChangedParamsSchema,
} from './channels/root/notifications.js';
import { CreatePairingCodeParamsSchema, CreatePairingCodeResultSchema } from './channels/root/pairing.js';
import {
  InvitePersonParamsSchema,
  InvitePersonResultSchema,
  ListPeopleParamsSchema,
  ListPeopleResultSchema,
  RevokePersonParamsSchema,
  ShareSessionParamsSchema,
  ShareSessionResultSchema,
} from './channels/root/people.js';
import {
  GetPushKeyParamsSchema,
  GetPushKeyResultSchema,
  SubscribePushParamsSchema,
  UnsubscribePushParamsSchema,
} from './channels/root/push.js';
import { SearchConversationsParamsSchema, SearchConversationsResultSchema } from './channels/root/search.js';
import {
  AdoptSessionParamsSchema,
  ListEarlierSessionsParamsSchema,
  ListEarlierSessionsResultSchema,
} from './channels/session/adopt.js';
import { CreateSessionParamsSchema, DisposeSessionParamsSchema } from './channels/session/commands.js';
import { CompareSessionsParamsSchema, CompareSessionsResultSchema } from './channels/session/compare.js';
import {
  ListDisposedSessionsParamsSchema,
  ListDisposedSessionsResultSchema,
  RestoreSessionParamsSchema,
} from './channels/session/restore.js';
import { ListWatchersParamsSchema, ListWatchersResultSchema } from './channels/session/watchers.js';
import {
  OtlpExportLogsParamsSchema,
  OtlpExportMetricsParamsSchema,
  OtlpExportTracesParamsSchema,
} from './channels/telemetry/notifications.js';
import { CreateTerminalParamsSchema, DisposeTerminalParamsSchema } from './channels/terminal/commands.js';
import type { Static, TSchema } from './common/type.js';
import { Type } from './common/type.js';
import { ActionEnvelopeSchema, DispatchActionParamsSchema } from './connection/action.js';
import {
  AuthenticateParamsSchema,
  AuthenticateResultSchema,
  AuthRequiredParamsSchema,
} from './connection/authentication.js';
import {
  InitializeParamsSchema,
  InitializeResultSchema,
  PingParamsSchema,
  ReconnectParamsSchema,
  ReconnectResultSchema,
} from './connection/handshake.js';
import type { JsonRpcErrorResponse } from './connection/json-rpc.js';
import {
  ResourceCopyParamsSchema,
  ResourceCopyResultSchema,
  ResourceDeleteParamsSchema,
  ResourceDeleteResultSchema,
  ResourceListParamsSchema,
  ResourceListResultSchema,
  ResourceMkdirParamsSchema,
  ResourceMkdirResultSchema,
  ResourceMoveParamsSchema,
  ResourceMoveResultSchema,
  ResourceReadParamsSchema,
  ResourceReadResultSchema,
  ResourceRequestParamsSchema,
  ResourceRequestResultSchema,
  ResourceResolveParamsSchema,
  ResourceResolveResultSchema,
  ResourceWriteParamsSchema,
  ResourceWriteResultSchema,
} from './connection/resources.js';
import { SubscribeParamsSchema, SubscribeResultSchema, UnsubscribeParamsSchema } from './connection/subscription.js';

/** Who may send a message. Both peers may ask for resources, so those requests travel either way. */
export type Direction = 'clientToHost' | 'hostToClient' | 'both';

/** What `params.channel` names: the root channel literally, a channel of that kind, or any channel. */
export type ChannelRule = 'root' | 'session' | 'chat' | 'terminal' | 'changeset' | 'telemetry' | 'automation' | 'any';

/** What there is to know about one request. */
export interface RequestRow<P extends TSchema = TSchema, R extends TSchema = TSchema> {
  /** Whether the client sends it to the host, or the host to the client. */
  readonly direction: Direction;
  /** Which channel it is sent on. */
  readonly channel: ChannelRule;
  /** The schema of its params. */
  readonly params: P;
  /** The schema of its result. */
  readonly result: R;
}

/** What there is to know about one notification. */
export interface NotificationRow<P extends TSchema = TSchema> {
  /** Whether the client sends it to the host, or the host to the client. */
  readonly direction: Direction;
  /** Which channel it is sent on. */
  readonly channel: ChannelRule;
  /** The schema of its params. */
  readonly params: P;
}

const nothing = Type.Null();

/** Every request: exactly one response each. */
export const requests = {
  initialize: request('clientToHost', 'root', InitializeParamsSchema, InitializeResultSchema),
  ping: request('clientToHost', 'root', PingParamsSchema, nothing),
  reconnect: request('clientToHost', 'root', ReconnectParamsSchema, ReconnectResultSchema),
  subscribe: request('clientToHost', 'any', SubscribeParamsSchema, SubscribeResultSchema),
  createSession: request('clientToHost', 'session', CreateSessionParamsSchema, nothing),
  disposeSession: request('clientToHost', 'session', DisposeSessionParamsSchema, nothing),
  createChat: request('clientToHost', 'session', CreateChatParamsSchema, nothing),
  disposeChat: request('clientToHost', 'chat', DisposeChatParamsSchema, nothing),
  createTerminal: request('clientToHost', 'terminal', CreateTerminalParamsSchema, nothing),
  disposeTerminal: request('clientToHost', 'terminal', DisposeTerminalParamsSchema, nothing),
  createResourceWatch: request('both', 'root', CreateResourceWatchParamsSchema, CreateResourceWatchResultSchema),
  listSessions: request('clientToHost', 'root', ListSessionsParamsSchema, ListSessionsResultSchema),
  resourceRead: request('both', 'root', ResourceReadParamsSchema, ResourceReadResultSchema),
  resourceWrite: request('both', 'root', ResourceWriteParamsSchema, ResourceWriteResultSchema),
  resourceList: request('both', 'root', ResourceListParamsSchema, ResourceListResultSchema),
  resourceCopy: request('both', 'root', ResourceCopyParamsSchema, ResourceCopyResultSchema),
  resourceDelete: request('both', 'root', ResourceDeleteParamsSchema, ResourceDeleteResultSchema),
  resourceMove: request('both', 'root', ResourceMoveParamsSchema, ResourceMoveResultSchema),
  resourceResolve: request('both', 'root', ResourceResolveParamsSchema, ResourceResolveResultSchema),
  resourceMkdir: request('both', 'root', ResourceMkdirParamsSchema, ResourceMkdirResultSchema),
  resourceRequest: request('both', 'root', ResourceRequestParamsSchema, ResourceRequestResultSchema),
  fetchTurns: request('clientToHost', 'chat', FetchTurnsParamsSchema, FetchTurnsResultSchema),
  authenticate: request('clientToHost', 'root', AuthenticateParamsSchema, AuthenticateResultSchema),
  resolveSessionConfig: request(
    'clientToHost',
    'root',
    ResolveSessionConfigParamsSchema,
    ResolveSessionConfigResultSchema,
  ),
  sessionConfigCompletions: request(
    'clientToHost',
    'root',
    SessionConfigCompletionsParamsSchema,
    SessionConfigCompletionsResultSchema,
  ),
  completions: request('clientToHost', 'chat', CompletionsParamsSchema, CompletionsResultSchema),
  invokeChangesetOperation: request(
    'clientToHost',
    'changeset',
    InvokeChangesetOperationParamsSchema,
    InvokeChangesetOperationResultSchema,
  ),
  listAutomationTriggerDefinitions: request(
    'clientToHost',
    'root',
    ListAutomationTriggerDefinitionsParamsSchema,
    ListAutomationTriggerDefinitionsResultSchema,
  ),
  runAutomation: request('clientToHost', 'automation', RunAutomationParamsSchema, RunAutomationResultSchema),
  fetchAutomationRuns: request(
    'clientToHost',
    'automation',
    FetchAutomationRunsParamsSchema,
    FetchAutomationRunsResultSchema,
  ),
  // Beyond the specification: hosts without them answer -32601 (docs/PROTOCOL.md).
  listDisposedSessions: request(
    'clientToHost',
    'root',
    ListDisposedSessionsParamsSchema,
    ListDisposedSessionsResultSchema,
  ),
  restoreSession: request('clientToHost', 'session', RestoreSessionParamsSchema, nothing),
  'moorage/listHistory': request('clientToHost', 'root', ListHistoryParamsSchema, ListHistoryResultSchema),
  'moorage/listHistoryFiles': request(
    'clientToHost',
    'root',
    ListHistoryFilesParamsSchema,
    ListHistoryFilesResultSchema,
  ),
  'moorage/undoHistoryStep': request('clientToHost', 'root', UndoHistoryStepParamsSchema, UndoHistoryStepResultSchema),
  'moorage/suggestCommitMessage': request(
    'clientToHost',
    'changeset',
    SuggestCommitMessageParamsSchema,
    SuggestCommitMessageResultSchema,
  ),
  'moorage/redoHistoryStep': request('clientToHost', 'root', UndoHistoryStepParamsSchema, UndoHistoryStepResultSchema),
  'moorage/blame': request('clientToHost', 'changeset', BlameParamsSchema, BlameResultSchema),
  'moorage/compareSessions': request(
    'clientToHost',
    'session',
    CompareSessionsParamsSchema,
    CompareSessionsResultSchema,
  ),
  'moorage/reviewLines': request('clientToHost', 'changeset', ReviewLinesParamsSchema, nothing),
  'moorage/getPushKey': request('clientToHost', 'root', GetPushKeyParamsSchema, GetPushKeyResultSchema),
  'moorage/subscribePush': request('clientToHost', 'root', SubscribePushParamsSchema, nothing),
  'moorage/unsubscribePush': request('clientToHost', 'root', UnsubscribePushParamsSchema, nothing),
  'moorage/createPairingCode': request(
    'clientToHost',
    'root',
    CreatePairingCodeParamsSchema,
    CreatePairingCodeResultSchema,
  ),
  'moorage/listAudit': request('clientToHost', 'root', ListAuditParamsSchema, ListAuditResultSchema),
  'moorage/listWatchers': request('clientToHost', 'session', ListWatchersParamsSchema, ListWatchersResultSchema),
  'moorage/listPeople': request('clientToHost', 'root', ListPeopleParamsSchema, ListPeopleResultSchema),
  'moorage/invitePerson': request('clientToHost', 'root', InvitePersonParamsSchema, InvitePersonResultSchema),
  'moorage/revokePerson': request('clientToHost', 'root', RevokePersonParamsSchema, nothing),
  'moorage/shareSession': request('clientToHost', 'session', ShareSessionParamsSchema, ShareSessionResultSchema),
  'moorage/addToConfiguration': request(
    'clientToHost',
    'root',
    AddToConfigurationParamsSchema,
    AddToConfigurationResultSchema,
  ),
  'moorage/searchConversations': request(
    'clientToHost',
    'root',
    SearchConversationsParamsSchema,
    SearchConversationsResultSchema,
  ),
  'moorage/listEarlierSessions': request(
    'clientToHost',
    'root',
    ListEarlierSessionsParamsSchema,
    ListEarlierSessionsResultSchema,
  ),
  'moorage/adoptSession': request('clientToHost', 'session', AdoptSessionParamsSchema, nothing),
  // Of the gateway of a fleet (docs/FLEET.md).
  'moorage/listHosts': request('clientToHost', 'root', ListHostsParamsSchema, ListHostsResultSchema),
  'moorage/inviteHost': request('clientToHost', 'root', InviteHostParamsSchema, InviteHostResultSchema),
  'moorage/revokeHost': request('clientToHost', 'root', RevokeHostParamsSchema, nothing),
  'moorage/takeSession': request('clientToHost', 'session', TakeSessionParamsSchema, TakeSessionResultSchema),
  'moorage/listTokens': request('clientToHost', 'root', ListTokensParamsSchema, ListTokensResultSchema),
  'moorage/addToken': request('clientToHost', 'root', AddTokenParamsSchema, AddTokenResultSchema),
  'moorage/setTokenRole': request('clientToHost', 'root', SetTokenRoleParamsSchema, nothing),
  'moorage/revokeToken': request('clientToHost', 'root', RevokeTokenParamsSchema, nothing),
};

/** Every notification: never answered. */
export const notifications = {
  unsubscribe: notification('clientToHost', 'any', UnsubscribeParamsSchema),
  dispatchAction: notification('clientToHost', 'any', DispatchActionParamsSchema),
  action: notification('hostToClient', 'any', ActionEnvelopeSchema),
  'root/sessionAdded': notification('hostToClient', 'root', SessionAddedParamsSchema),
  'root/sessionRemoved': notification('hostToClient', 'root', SessionRemovedParamsSchema),
  'root/sessionSummaryChanged': notification('hostToClient', 'root', SessionSummaryChangedParamsSchema),
  'root/progress': notification('hostToClient', 'root', ProgressParamsSchema),
  'auth/required': notification('hostToClient', 'any', AuthRequiredParamsSchema),
  'otlp/exportLogs': notification('hostToClient', 'telemetry', OtlpExportLogsParamsSchema),
  'otlp/exportTraces': notification('hostToClient', 'telemetry', OtlpExportTracesParamsSchema),
  'otlp/exportMetrics': notification('hostToClient', 'telemetry', OtlpExportMetricsParamsSchema),
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
const notificationRows: ReadonlyMap<string, NotificationRow> = new Map(Object.entries(notifications));

/** The row of a request, if there is such a method. */
export function requestRow(method: string): RequestRow | undefined {
  return requestRows.get(method);
}

/** The row of a notification, if there is such a method. */
export function notificationRow(method: string): NotificationRow | undefined {
  return notificationRows.get(method);
}

function request<D extends Direction, P extends TSchema, R extends TSchema>(
  direction: D,
  channel: ChannelRule,
  params: P,
  result: R,
): RequestRow<P, R> & { direction: D } {
  return { direction, channel, params, result };
}

function notification<D extends Direction, P extends TSchema>(
  direction: D,
  channel: ChannelRule,
  params: P,
): NotificationRow<P> & { direction: D } {
  return { direction, channel, params };
}
