import type { CommandMap } from '@moorage/protocol';
import { ROLES, type Role } from '../../ports/people.js';

export function includes(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The least role for each action that a client may send. What is missing here needs `admin`. */
export const ROLE_FOR_ACTION: Readonly<Record<string, Role>> = {
  'root/configChanged': 'admin',

  'session/isReadChanged': 'review',
  'session/activeClientRemoved': 'steer',
  'session/activeClientSet': 'steer',
  'session/configChanged': 'steer',
  'session/customizationToggled': 'steer',
  'session/defaultChatChanged': 'steer',
  'session/isArchivedChanged': 'steer',
  'session/mcpServerBackgroundRequested': 'steer',
  'session/mcpServerStartRequested': 'steer',
  'session/mcpServerStopRequested': 'steer',
  'session/titleChanged': 'steer',
  'session/workingDirectoryRemoved': 'steer',
  'session/workingDirectoryReplaced': 'steer',
  'session/workingDirectorySet': 'steer',

  'chat/isReadChanged': 'review',
  'chat/draftChanged': 'steer',
  'chat/inputAnswerChanged': 'steer',
  'chat/inputCompleted': 'steer',
  'chat/isArchivedChanged': 'steer',
  'chat/pendingMessageRemoved': 'steer',
  'chat/pendingMessageSet': 'steer',
  'chat/queuedMessagesReordered': 'steer',
  'chat/toolCallComplete': 'steer',
  'chat/toolCallConfirmed': 'steer',
  'chat/toolCallContentChanged': 'steer',
  'chat/toolCallResultConfirmed': 'steer',
  'chat/truncated': 'steer',
  'chat/turnCancelled': 'steer',
  'chat/turnResume': 'steer',
  'chat/turnStarted': 'steer',
  'chat/workingDirectoryRemoved': 'steer',
  'chat/workingDirectorySet': 'steer',

  // In a session; outside of one, they need admin.
  'terminal/claimed': 'steer',
  'terminal/cleared': 'steer',
  'terminal/input': 'steer',
  'terminal/resized': 'steer',
  'terminal/titleChanged': 'steer',

  'annotations/entryRemoved': 'review',
  'annotations/entrySet': 'review',
  'annotations/removed': 'review',
  'annotations/set': 'review',
  'annotations/updated': 'review',

  'changeset/filesReviewChanged': 'review',

  'automation/createRequested': 'steer',
  'automation/removed': 'steer',
  'automation/updateRequested': 'steer',
  'automationRun/cancelRequested': 'steer',
};

/** The least role for each request. */
export const ROLE_FOR_REQUEST: Readonly<Record<keyof CommandMap, Role>> = {
  initialize: 'view',
  reconnect: 'view',
  ping: 'view',
  subscribe: 'view',
  listSessions: 'view',
  listDisposedSessions: 'view',
  fetchTurns: 'view',
  createResourceWatch: 'view',
  resourceRead: 'view',
  resourceList: 'view',
  resourceResolve: 'view',
  'moorage/listHistory': 'view',
  'moorage/listHistoryFiles': 'view',
  'moorage/blame': 'view',
  'moorage/compareSessions': 'view',
  'moorage/listWatchers': 'view',
  'moorage/getPushKey': 'view',
  'moorage/subscribePush': 'view',
  'moorage/unsubscribePush': 'view',
  'moorage/createPairingCode': 'view', // for another device of one's own
  'moorage/searchConversations': 'view',
  listAutomationTriggerDefinitions: 'view',
  fetchAutomationRuns: 'view',
  'moorage/listHosts': 'view', // of a gateway

  'moorage/reviewLines': 'review',

  createSession: 'steer',
  disposeSession: 'steer',
  restoreSession: 'steer',
  createChat: 'steer',
  disposeChat: 'steer',
  createTerminal: 'steer',
  disposeTerminal: 'steer',
  resourceWrite: 'steer',
  resourceCopy: 'steer',
  resourceDelete: 'steer',
  resourceMove: 'steer',
  resourceMkdir: 'steer',
  resourceRequest: 'steer',
  authenticate: 'steer',
  resolveSessionConfig: 'steer',
  sessionConfigCompletions: 'steer',
  completions: 'steer',
  invokeChangesetOperation: 'steer',
  runAutomation: 'steer',
  'moorage/undoHistoryStep': 'steer',
  'moorage/redoHistoryStep': 'steer',
  'moorage/suggestCommitMessage': 'steer',
  'moorage/listEarlierSessions': 'steer',
  'moorage/adoptSession': 'steer',
  'moorage/takeSession': 'steer', // of a gateway
  'moorage/shareSession': 'steer', // at most with the rights that one has

  'moorage/addToConfiguration': 'admin',
  'moorage/listAudit': 'admin',
  'moorage/listPeople': 'admin',
  'moorage/invitePerson': 'admin',
  'moorage/revokePerson': 'admin',
  // Of a gateway.
  'moorage/inviteHost': 'admin',
  'moorage/revokeHost': 'admin',
  'moorage/listTokens': 'admin',
  'moorage/addToken': 'admin',
  'moorage/setTokenRole': 'admin',
  'moorage/revokeToken': 'admin',
};
