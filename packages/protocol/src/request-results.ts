import {
  FetchAutomationRunsResultSchema,
  ListAutomationTriggerDefinitionsResultSchema,
  RunAutomationResultSchema,
} from './channels/automation/commands.js';
import { BlameResultSchema } from './channels/changeset/blame.js';
import { InvokeChangesetOperationResultSchema } from './channels/changeset/commands.js';
import {
  ListHistoryFilesResultSchema,
  ListHistoryResultSchema,
  SuggestCommitMessageResultSchema,
  UndoHistoryStepResultSchema,
} from './channels/changeset/history.js';
import { CompletionsResultSchema, FetchTurnsResultSchema } from './channels/chat/commands.js';
import { CreateResourceWatchResultSchema } from './channels/resource-watch/commands.js';
import { ListAuditResultSchema } from './channels/root/audit.js';
import {
  ListSessionsResultSchema,
  ResolveSessionConfigResultSchema,
  SessionConfigCompletionsResultSchema,
} from './channels/root/commands.js';
import { AddToConfigurationResultSchema } from './channels/root/configuration.js';
import {
  AddTokenResultSchema,
  InviteHostResultSchema,
  ListHostsResultSchema,
  ListTokensResultSchema,
  TakeSessionResultSchema,
} from './channels/root/fleet.js';
import { CreatePairingCodeResultSchema } from './channels/root/pairing.js';
import { InvitePersonResultSchema, ListPeopleResultSchema, ShareSessionResultSchema } from './channels/root/people.js';
import { GetPushKeyResultSchema } from './channels/root/push.js';
import { SearchConversationsResultSchema } from './channels/root/search.js';
import { ListEarlierSessionsResultSchema } from './channels/session/adopt.js';
import { CompareSessionsResultSchema } from './channels/session/compare.js';
import { ListDisposedSessionsResultSchema } from './channels/session/restore.js';
import { ListWatchersResultSchema } from './channels/session/watchers.js';
import { Type } from './common/type.js';
import { AuthenticateResultSchema } from './connection/authentication.js';
import { InitializeResultSchema, ReconnectResultSchema } from './connection/handshake.js';
import {
  ResourceCopyResultSchema,
  ResourceDeleteResultSchema,
  ResourceListResultSchema,
  ResourceMkdirResultSchema,
  ResourceMoveResultSchema,
  ResourceReadResultSchema,
  ResourceRequestResultSchema,
  ResourceResolveResultSchema,
  ResourceWriteResultSchema,
} from './connection/resources.js';
import { SubscribeResultSchema } from './connection/subscription.js';

const nothing = Type.Null();

/**
 * What a host or a client answers to each request. Apart from the params: a page loads the schemas of what it checks, and
 * a client doesn't check what it asks.
 */
export const requestResults = {
  initialize: InitializeResultSchema,
  ping: nothing,
  reconnect: ReconnectResultSchema,
  subscribe: SubscribeResultSchema,
  createSession: nothing,
  disposeSession: nothing,
  createChat: nothing,
  disposeChat: nothing,
  createTerminal: nothing,
  disposeTerminal: nothing,
  createResourceWatch: CreateResourceWatchResultSchema,
  listSessions: ListSessionsResultSchema,
  resourceRead: ResourceReadResultSchema,
  resourceWrite: ResourceWriteResultSchema,
  resourceList: ResourceListResultSchema,
  resourceCopy: ResourceCopyResultSchema,
  resourceDelete: ResourceDeleteResultSchema,
  resourceMove: ResourceMoveResultSchema,
  resourceResolve: ResourceResolveResultSchema,
  resourceMkdir: ResourceMkdirResultSchema,
  resourceRequest: ResourceRequestResultSchema,
  fetchTurns: FetchTurnsResultSchema,
  authenticate: AuthenticateResultSchema,
  resolveSessionConfig: ResolveSessionConfigResultSchema,
  sessionConfigCompletions: SessionConfigCompletionsResultSchema,
  completions: CompletionsResultSchema,
  invokeChangesetOperation: InvokeChangesetOperationResultSchema,
  listAutomationTriggerDefinitions: ListAutomationTriggerDefinitionsResultSchema,
  runAutomation: RunAutomationResultSchema,
  fetchAutomationRuns: FetchAutomationRunsResultSchema,
  // Beyond the specification: hosts without them answer -32601 (docs/PROTOCOL.md).
  listDisposedSessions: ListDisposedSessionsResultSchema,
  restoreSession: nothing,
  'moorage/listHistory': ListHistoryResultSchema,
  'moorage/listHistoryFiles': ListHistoryFilesResultSchema,
  'moorage/undoHistoryStep': UndoHistoryStepResultSchema,
  'moorage/suggestCommitMessage': SuggestCommitMessageResultSchema,
  'moorage/redoHistoryStep': UndoHistoryStepResultSchema,
  'moorage/blame': BlameResultSchema,
  'moorage/compareSessions': CompareSessionsResultSchema,
  'moorage/reviewLines': nothing,
  'moorage/getPushKey': GetPushKeyResultSchema,
  'moorage/subscribePush': nothing,
  'moorage/unsubscribePush': nothing,
  'moorage/createPairingCode': CreatePairingCodeResultSchema,
  'moorage/listAudit': ListAuditResultSchema,
  'moorage/listWatchers': ListWatchersResultSchema,
  'moorage/listPeople': ListPeopleResultSchema,
  'moorage/invitePerson': InvitePersonResultSchema,
  'moorage/revokePerson': nothing,
  'moorage/shareSession': ShareSessionResultSchema,
  'moorage/addToConfiguration': AddToConfigurationResultSchema,
  'moorage/searchConversations': SearchConversationsResultSchema,
  'moorage/listEarlierSessions': ListEarlierSessionsResultSchema,
  'moorage/adoptSession': nothing,
  // Of the gateway of a fleet (docs/FLEET.md).
  'moorage/listHosts': ListHostsResultSchema,
  'moorage/inviteHost': InviteHostResultSchema,
  'moorage/revokeHost': nothing,
  'moorage/takeSession': TakeSessionResultSchema,
  'moorage/listTokens': ListTokensResultSchema,
  'moorage/addToken': AddTokenResultSchema,
  'moorage/setTokenRole': nothing,
  'moorage/revokeToken': nothing,
};
