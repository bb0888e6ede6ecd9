import type { Static, TSchema } from '../common/type.js';
import {
  AnnotationsEntryRemovedActionSchema,
  AnnotationsEntrySetActionSchema,
  AnnotationsRemovedActionSchema,
  AnnotationsSetActionSchema,
  AnnotationsUpdatedActionSchema,
} from './annotations/actions.js';
import {
  AutomationCreateRequestedActionSchema,
  AutomationRemovedActionSchema,
  AutomationSetActionSchema,
  AutomationUpdateRequestedActionSchema,
} from './automation/actions.js';
import {
  AutomationRunCancelRequestedActionSchema,
  AutomationRunLifecycleChangedActionSchema,
  AutomationRunPrimarySessionChangedActionSchema,
  AutomationRunSessionRemovedActionSchema,
  AutomationRunSessionSetActionSchema,
} from './automation-run/actions.js';
import {
  ChangesetClearedActionSchema,
  ChangesetContentChangedActionSchema,
  ChangesetDisposedActionSchema,
  ChangesetFileRemovedActionSchema,
  ChangesetFileSetActionSchema,
  ChangesetFilesReviewChangedActionSchema,
  ChangesetOperationStatusChangedActionSchema,
  ChangesetOperationsChangedActionSchema,
  ChangesetStatusChangedActionSchema,
} from './changeset/actions.js';
import {
  ChatDeltaActionSchema,
  ChatReasoningActionSchema,
  ChatResponsePartActionSchema,
} from './chat/actions/content.js';
import {
  ChatInputAnswerChangedActionSchema,
  ChatInputCompletedActionSchema,
  ChatInputRequestedActionSchema,
} from './chat/actions/input.js';
import {
  ChatPendingMessageRemovedActionSchema,
  ChatPendingMessageSetActionSchema,
  ChatQueuedMessagesReorderedActionSchema,
} from './chat/actions/pending-message.js';
import {
  ChatActivityChangedActionSchema,
  ChatBackgroundWorkRemovedActionSchema,
  ChatBackgroundWorkSetActionSchema,
  ChatChangesetsChangedActionSchema,
  ChatDraftChangedActionSchema,
  ChatIsArchivedChangedActionSchema,
  ChatIsReadChangedActionSchema,
  ChatMovableChangedActionSchema,
  ChatWorkingDirectoryRemovedActionSchema,
  ChatWorkingDirectorySetActionSchema,
} from './chat/actions/summary.js';
import {
  ChatToolCallAuthRequiredActionSchema,
  ChatToolCallAuthResolvedActionSchema,
  ChatToolCallCompleteActionSchema,
  ChatToolCallConfirmedActionSchema,
  ChatToolCallContentChangedActionSchema,
  ChatToolCallDeltaActionSchema,
  ChatToolCallReadyActionSchema,
  ChatToolCallResultConfirmedActionSchema,
  ChatToolCallStartActionSchema,
} from './chat/actions/tool-call.js';
import {
  ChatErrorActionSchema,
  ChatTruncatedActionSchema,
  ChatTurnCancelledActionSchema,
  ChatTurnCompleteActionSchema,
  ChatTurnResumeActionSchema,
  ChatTurnStartedActionSchema,
  ChatTurnsLoadedActionSchema,
  ChatUsageActionSchema,
} from './chat/actions/turn.js';
import type { ChannelKind } from './kind.js';
import { ResourceWatchChangedActionSchema } from './resource-watch/actions.js';
import {
  RootActiveSessionsChangedActionSchema,
  RootAgentsChangedActionSchema,
  RootConfigChangedActionSchema,
  RootTerminalsChangedActionSchema,
} from './root/actions.js';
import {
  SessionChatAddedActionSchema,
  SessionChatRemovedActionSchema,
  SessionChatsReorderedActionSchema,
  SessionChatUpdatedActionSchema,
  SessionDefaultChatChangedActionSchema,
} from './session/actions/chats.js';
import {
  SessionCustomizationRemovedActionSchema,
  SessionCustomizationsChangedActionSchema,
  SessionCustomizationToggledActionSchema,
  SessionCustomizationUpdatedActionSchema,
  SessionMcpServerBackgroundRequestedActionSchema,
  SessionMcpServerStartRequestedActionSchema,
  SessionMcpServerStateChangedActionSchema,
  SessionMcpServerStopRequestedActionSchema,
} from './session/actions/customizations.js';
import {
  SessionInputNeededRemovedActionSchema,
  SessionInputNeededSetActionSchema,
} from './session/actions/input-needed.js';
import { SessionCreationFailedActionSchema, SessionReadyActionSchema } from './session/actions/lifecycle.js';
import {
  SessionActivityChangedActionSchema,
  SessionChangesetsChangedActionSchema,
  SessionConfigChangedActionSchema,
  SessionIsArchivedChangedActionSchema,
  SessionIsReadChangedActionSchema,
  SessionMetaChangedActionSchema,
  SessionTitleChangedActionSchema,
} from './session/actions/summary.js';
import {
  SessionActiveClientRemovedActionSchema,
  SessionActiveClientSetActionSchema,
  SessionServerToolsChangedActionSchema,
} from './session/actions/tools.js';
import {
  SessionWorkingDirectoryRemovedActionSchema,
  SessionWorkingDirectoryReplacedActionSchema,
  SessionWorkingDirectorySetActionSchema,
} from './session/actions/working-directories.js';
import {
  TerminalClaimedActionSchema,
  TerminalClearedActionSchema,
  TerminalCommandDetectionAvailableActionSchema,
  TerminalCommandExecutedActionSchema,
  TerminalCommandFinishedActionSchema,
  TerminalCwdChangedActionSchema,
  TerminalDataActionSchema,
  TerminalExitedActionSchema,
  TerminalInputActionSchema,
  TerminalResizedActionSchema,
  TerminalTitleChangedActionSchema,
} from './terminal/actions.js';

/** Who may send an action. `client`: a client may dispatch it, and the host may originate it as well. */
export type ActionSender = 'client' | 'host';

/** What there is to know about one action type. */
export interface ActionRow<
  K extends ChannelKind = ChannelKind,
  S extends TSchema = TSchema,
  W extends ActionSender = ActionSender,
  V extends string = string,
> {
  /** The kind of channel it belongs on. */
  readonly kind: K;
  /** What the action must look like. */
  readonly schema: S;
  /** Who may send it. */
  readonly sender: W;
  /** The first protocol version that knows it; it is never sent to a client of an older one (B-27). */
  readonly since: V;
}

/** Every action type. The host's rules (`core/rules`) have exactly one entry for each with the sender `client`. */
export const actionTable = {
  'root/agentsChanged': row('root', RootAgentsChangedActionSchema, 'host', '0.1.0'),
  'root/activeSessionsChanged': row('root', RootActiveSessionsChangedActionSchema, 'host', '0.1.0'),
  'root/terminalsChanged': row('root', RootTerminalsChangedActionSchema, 'host', '0.1.0'),
  'root/configChanged': row('root', RootConfigChangedActionSchema, 'client', '0.1.0'),
  'session/ready': row('session', SessionReadyActionSchema, 'host', '0.1.0'),
  'session/creationFailed': row('session', SessionCreationFailedActionSchema, 'host', '0.1.0'),
  'session/chatAdded': row('session', SessionChatAddedActionSchema, 'host', '0.4.0'),
  'session/chatRemoved': row('session', SessionChatRemovedActionSchema, 'host', '0.4.0'),
  'session/chatUpdated': row('session', SessionChatUpdatedActionSchema, 'host', '0.4.0'),
  // By the specification's types only a host sends it, by its text a client may as well (D-6).
  'session/chatsReordered': row('session', SessionChatsReorderedActionSchema, 'host', '1.0.0'),
  'session/defaultChatChanged': row('session', SessionDefaultChatChangedActionSchema, 'client', '0.4.0'),
  'session/titleChanged': row('session', SessionTitleChangedActionSchema, 'client', '0.1.0'),
  'session/serverToolsChanged': row('session', SessionServerToolsChangedActionSchema, 'host', '0.1.0'),
  'session/activeClientSet': row('session', SessionActiveClientSetActionSchema, 'client', '0.5.0'),
  'session/activeClientRemoved': row('session', SessionActiveClientRemovedActionSchema, 'client', '0.5.0'),
  'session/workingDirectorySet': row('session', SessionWorkingDirectorySetActionSchema, 'client', '0.7.0'),
  'session/workingDirectoryRemoved': row('session', SessionWorkingDirectoryRemovedActionSchema, 'client', '0.7.0'),
  'session/workingDirectoryReplaced': row('session', SessionWorkingDirectoryReplacedActionSchema, 'client', '0.9.0'),
  'session/inputNeededSet': row('session', SessionInputNeededSetActionSchema, 'host', '0.5.1'),
  'session/inputNeededRemoved': row('session', SessionInputNeededRemovedActionSchema, 'host', '0.5.1'),
  'session/customizationsChanged': row('session', SessionCustomizationsChangedActionSchema, 'host', '0.1.0'),
  'session/customizationToggled': row('session', SessionCustomizationToggledActionSchema, 'client', '0.1.0'),
  'session/customizationUpdated': row('session', SessionCustomizationUpdatedActionSchema, 'host', '0.1.0'),
  'session/customizationRemoved': row('session', SessionCustomizationRemovedActionSchema, 'host', '0.2.0'),
  'session/mcpServerStateChanged': row('session', SessionMcpServerStateChangedActionSchema, 'host', '0.3.0'),
  'session/mcpServerStartRequested': row('session', SessionMcpServerStartRequestedActionSchema, 'client', '0.5.2'),
  'session/mcpServerStopRequested': row('session', SessionMcpServerStopRequestedActionSchema, 'client', '0.5.2'),
  'session/mcpServerBackgroundRequested': row(
    'session',
    SessionMcpServerBackgroundRequestedActionSchema,
    'client',
    '1.0.0',
  ),
  'session/isReadChanged': row('session', SessionIsReadChangedActionSchema, 'client', '0.1.0'),
  'session/isArchivedChanged': row('session', SessionIsArchivedChangedActionSchema, 'client', '0.1.0'),
  'session/activityChanged': row('session', SessionActivityChangedActionSchema, 'host', '0.1.0'),
  'session/changesetsChanged': row('session', SessionChangesetsChangedActionSchema, 'host', '0.2.0'),
  'session/configChanged': row('session', SessionConfigChangedActionSchema, 'client', '0.1.0'),
  'session/metaChanged': row('session', SessionMetaChangedActionSchema, 'host', '0.1.0'),
  'chat/turnStarted': row('chat', ChatTurnStartedActionSchema, 'client', '0.4.0'),
  'chat/delta': row('chat', ChatDeltaActionSchema, 'host', '0.4.0'),
  'chat/responsePart': row('chat', ChatResponsePartActionSchema, 'host', '0.4.0'),
  'chat/toolCallStart': row('chat', ChatToolCallStartActionSchema, 'host', '0.4.0'),
  'chat/toolCallDelta': row('chat', ChatToolCallDeltaActionSchema, 'host', '0.4.0'),
  'chat/toolCallReady': row('chat', ChatToolCallReadyActionSchema, 'host', '0.4.0'),
  'chat/toolCallConfirmed': row('chat', ChatToolCallConfirmedActionSchema, 'client', '0.4.0'),
  'chat/toolCallComplete': row('chat', ChatToolCallCompleteActionSchema, 'client', '0.4.0'),
  'chat/toolCallResultConfirmed': row('chat', ChatToolCallResultConfirmedActionSchema, 'client', '0.4.0'),
  'chat/toolCallContentChanged': row('chat', ChatToolCallContentChangedActionSchema, 'client', '0.4.0'),
  'chat/toolCallAuthRequired': row('chat', ChatToolCallAuthRequiredActionSchema, 'host', '0.6.0'),
  'chat/toolCallAuthResolved': row('chat', ChatToolCallAuthResolvedActionSchema, 'host', '0.6.0'),
  'chat/turnComplete': row('chat', ChatTurnCompleteActionSchema, 'host', '0.4.0'),
  'chat/turnCancelled': row('chat', ChatTurnCancelledActionSchema, 'client', '0.4.0'),
  'chat/error': row('chat', ChatErrorActionSchema, 'host', '0.4.0'),
  'chat/turnResume': row('chat', ChatTurnResumeActionSchema, 'client', '0.9.0'),
  'chat/turnsLoaded': row('chat', ChatTurnsLoadedActionSchema, 'host', '0.5.1'),
  'chat/usage': row('chat', ChatUsageActionSchema, 'host', '0.4.0'),
  'chat/reasoning': row('chat', ChatReasoningActionSchema, 'host', '0.4.0'),
  'chat/pendingMessageSet': row('chat', ChatPendingMessageSetActionSchema, 'client', '0.4.0'),
  'chat/pendingMessageRemoved': row('chat', ChatPendingMessageRemovedActionSchema, 'client', '0.4.0'),
  'chat/queuedMessagesReordered': row('chat', ChatQueuedMessagesReorderedActionSchema, 'client', '0.4.0'),
  'chat/inputRequested': row('chat', ChatInputRequestedActionSchema, 'host', '0.4.0'),
  'chat/inputAnswerChanged': row('chat', ChatInputAnswerChangedActionSchema, 'client', '0.4.0'),
  'chat/inputCompleted': row('chat', ChatInputCompletedActionSchema, 'client', '0.4.0'),
  'chat/truncated': row('chat', ChatTruncatedActionSchema, 'client', '0.4.0'),
  'chat/draftChanged': row('chat', ChatDraftChangedActionSchema, 'client', '0.5.0'),
  'chat/activityChanged': row('chat', ChatActivityChangedActionSchema, 'host', '0.5.0'),
  'chat/isReadChanged': row('chat', ChatIsReadChangedActionSchema, 'client', '1.0.0'),
  'chat/isArchivedChanged': row('chat', ChatIsArchivedChangedActionSchema, 'client', '1.0.0'),
  'chat/movableChanged': row('chat', ChatMovableChangedActionSchema, 'host', '1.0.0'),
  'chat/workingDirectorySet': row('chat', ChatWorkingDirectorySetActionSchema, 'client', '0.7.0'),
  'chat/workingDirectoryRemoved': row('chat', ChatWorkingDirectoryRemovedActionSchema, 'client', '0.7.0'),
  'chat/changesetsChanged': row('chat', ChatChangesetsChangedActionSchema, 'host', '1.0.0'),
  'chat/backgroundWorkSet': row('chat', ChatBackgroundWorkSetActionSchema, 'host', '1.0.0'),
  'chat/backgroundWorkRemoved': row('chat', ChatBackgroundWorkRemovedActionSchema, 'host', '1.0.0'),
  'changeset/statusChanged': row('changeset', ChangesetStatusChangedActionSchema, 'host', '0.2.0'),
  'changeset/fileSet': row('changeset', ChangesetFileSetActionSchema, 'host', '0.2.0'),
  'changeset/fileRemoved': row('changeset', ChangesetFileRemovedActionSchema, 'host', '0.2.0'),
  'changeset/contentChanged': row('changeset', ChangesetContentChangedActionSchema, 'host', '0.4.0'),
  'changeset/filesReviewChanged': row('changeset', ChangesetFilesReviewChangedActionSchema, 'client', '0.6.0'),
  'changeset/operationsChanged': row('changeset', ChangesetOperationsChangedActionSchema, 'host', '0.2.0'),
  'changeset/operationStatusChanged': row('changeset', ChangesetOperationStatusChangedActionSchema, 'host', '0.3.0'),
  'changeset/cleared': row('changeset', ChangesetClearedActionSchema, 'host', '0.2.0'),
  'changeset/disposed': row('changeset', ChangesetDisposedActionSchema, 'host', '0.4.0'),
  'annotations/set': row('annotations', AnnotationsSetActionSchema, 'client', '0.4.0'),
  'annotations/updated': row('annotations', AnnotationsUpdatedActionSchema, 'client', '0.4.0'),
  'annotations/removed': row('annotations', AnnotationsRemovedActionSchema, 'client', '0.4.0'),
  'annotations/entrySet': row('annotations', AnnotationsEntrySetActionSchema, 'client', '0.4.0'),
  'annotations/entryRemoved': row('annotations', AnnotationsEntryRemovedActionSchema, 'client', '0.4.0'),
  'terminal/data': row('terminal', TerminalDataActionSchema, 'host', '0.1.0'),
  'terminal/input': row('terminal', TerminalInputActionSchema, 'client', '0.1.0'),
  'terminal/resized': row('terminal', TerminalResizedActionSchema, 'client', '0.1.0'),
  'terminal/claimed': row('terminal', TerminalClaimedActionSchema, 'client', '0.1.0'),
  'terminal/titleChanged': row('terminal', TerminalTitleChangedActionSchema, 'client', '0.1.0'),
  'terminal/cwdChanged': row('terminal', TerminalCwdChangedActionSchema, 'host', '0.1.0'),
  'terminal/exited': row('terminal', TerminalExitedActionSchema, 'host', '0.1.0'),
  'terminal/cleared': row('terminal', TerminalClearedActionSchema, 'client', '0.1.0'),
  'terminal/commandDetectionAvailable': row('terminal', TerminalCommandDetectionAvailableActionSchema, 'host', '0.1.0'),
  'terminal/commandExecuted': row('terminal', TerminalCommandExecutedActionSchema, 'host', '0.1.0'),
  'terminal/commandFinished': row('terminal', TerminalCommandFinishedActionSchema, 'host', '0.1.0'),
  'resourceWatch/changed': row('resourceWatch', ResourceWatchChangedActionSchema, 'host', '0.2.0'),
  'automation/createRequested': row('automation', AutomationCreateRequestedActionSchema, 'client', '0.9.0'),
  'automation/updateRequested': row('automation', AutomationUpdateRequestedActionSchema, 'client', '0.9.0'),
  'automation/set': row('automation', AutomationSetActionSchema, 'host', '0.9.0'),
  'automation/removed': row('automation', AutomationRemovedActionSchema, 'client', '0.9.0'),
  'automationRun/lifecycleChanged': row('automationRun', AutomationRunLifecycleChangedActionSchema, 'host', '0.9.0'),
  'automationRun/sessionSet': row('automationRun', AutomationRunSessionSetActionSchema, 'host', '0.9.0'),
  'automationRun/sessionRemoved': row('automationRun', AutomationRunSessionRemovedActionSchema, 'host', '0.9.0'),
  'automationRun/primarySessionChanged': row(
    'automationRun',
    AutomationRunPrimarySessionChangedActionSchema,
    'host',
    '0.9.0',
  ),
  'automationRun/cancelRequested': row('automationRun', AutomationRunCancelRequestedActionSchema, 'client', '0.9.0'),
} as const;

type Table = typeof actionTable;

/** The actions of one channel kind. */
export type ActionOf<K extends ChannelKind> = {
  [T in keyof Table]: Table[T]['kind'] extends K ? Static<Table[T]['schema']> : never;
}[keyof Table];

/** The types of the actions that a client may send on channels of one kind. */
export type ClientActionType<K extends ChannelKind = ChannelKind> = {
  [T in keyof Table]: Table[T] extends ActionRow<K, TSchema, 'client'> ? T : never;
}[keyof Table];

const rows: ReadonlyMap<string, ActionRow> = new Map(Object.entries(actionTable));

/** The row of an action type, or undefined for one that this version does not know. */
export function actionRow(type: string): ActionRow | undefined {
  return rows.get(type);
}

/** Whether a client may send actions of this type at all; of an unknown type it may not. */
export function isClientDispatchable(type: string): boolean {
  return rows.get(type)?.sender === 'client';
}

function row<K extends ChannelKind, S extends TSchema, W extends ActionSender, V extends string>(
  kind: K,
  schema: S,
  sender: W,
  since: V,
): ActionRow<K, S, W, V> {
  return { kind, schema, sender, since };
}
