import type { ActionOf, ChannelKind, StateAction } from '@moorage/protocol';
import type { Committed, Effect, Effects } from '../core/committed.js';
import type { Services } from './services.js';

/**
 * Which part of the host reacts to which action once it is stored and sent, from left to right. Every action of these
 * channels is here, also those that nothing reacts to; nothing reacts to actions on `root` and `resourceWatch`.
 */
export const EFFECTS = {
  session: {
    'session/ready': ['telemetry', 'customizations', 'changesets', 'search', 'turns'],
    'session/creationFailed': ['turns'],
    'session/chatAdded': ['changesets', 'search'],
    'session/chatRemoved': ['starters', 'accessRequests', 'changesets', 'search', 'turns'],
    'session/chatUpdated': [],
    'session/chatsReordered': [],
    'session/defaultChatChanged': [],
    'session/titleChanged': [],
    'session/serverToolsChanged': [],
    'session/activeClientSet': ['mcp', 'customizations'],
    'session/activeClientRemoved': ['customizations'],
    'session/workingDirectorySet': ['changesets', 'annotations', 'customizations', 'turns'],
    'session/workingDirectoryRemoved': ['changesets', 'annotations', 'customizations', 'turns'],
    'session/workingDirectoryReplaced': ['changesets', 'annotations', 'customizations', 'turns'],
    'session/inputNeededSet': ['notifications'],
    'session/inputNeededRemoved': ['notifications'],
    'session/customizationsChanged': ['mcp'],
    'session/customizationToggled': ['mcp', 'customizations'],
    'session/customizationUpdated': ['mcp'],
    'session/customizationRemoved': ['mcp'],
    'session/mcpServerStateChanged': [],
    'session/mcpServerStartRequested': ['mcp'],
    'session/mcpServerStopRequested': ['mcp'],
    'session/mcpServerBackgroundRequested': [],
    'session/isReadChanged': [],
    'session/isArchivedChanged': [],
    'session/activityChanged': [],
    'session/changesetsChanged': [],
    'session/configChanged': ['changesets'],
    'session/metaChanged': [],
  },
  chat: {
    // `starters` before `turns`: it knows whose tokens the turn uses.
    'chat/turnStarted': ['starters', 'telemetry', 'turns'],
    'chat/delta': [],
    'chat/reasoning': [],
    'chat/responsePart': ['telemetry'],
    'chat/toolCallStart': ['telemetry', 'changesets'],
    'chat/toolCallDelta': [],
    'chat/toolCallReady': ['changesets'],
    'chat/toolCallConfirmed': ['telemetry', 'changesets', 'turns'],
    'chat/toolCallContentChanged': ['changesets'],
    'chat/toolCallComplete': ['telemetry', 'changesets', 'turns'],
    'chat/toolCallResultConfirmed': ['turns'],
    'chat/toolCallAuthRequired': [],
    'chat/toolCallAuthResolved': [],
    'chat/usage': ['telemetry', 'budgets'],
    // `turns` last: it touches processes, and takes the next message from the queue.
    'chat/turnComplete': ['telemetry', 'accessRequests', 'annotations', 'notifications', 'search', 'turns'],
    'chat/turnCancelled': ['telemetry', 'accessRequests', 'annotations', 'search', 'turns'],
    'chat/error': ['telemetry', 'accessRequests', 'annotations', 'notifications', 'search', 'turns'],
    'chat/truncated': ['telemetry', 'accessRequests', 'changesets', 'annotations', 'search', 'turns'],
    'chat/turnResume': [],
    'chat/turnsLoaded': [],
    'chat/pendingMessageSet': ['starters', 'turns'],
    'chat/pendingMessageRemoved': ['starters'],
    'chat/queuedMessagesReordered': [],
    'chat/inputRequested': [],
    'chat/inputAnswerChanged': [],
    'chat/inputCompleted': ['accessRequests', 'turns'],
    'chat/draftChanged': [],
    'chat/activityChanged': [],
    'chat/isReadChanged': [],
    'chat/isArchivedChanged': [],
    'chat/movableChanged': [],
    'chat/workingDirectorySet': ['turns'],
    'chat/workingDirectoryRemoved': ['turns'],
    'chat/changesetsChanged': [],
    'chat/backgroundWorkSet': [],
    'chat/backgroundWorkRemoved': [],
  },
  changeset: {
    'changeset/statusChanged': ['operationBoard'],
    'changeset/fileSet': ['operationBoard'],
    'changeset/fileRemoved': ['operationBoard'],
    'changeset/contentChanged': ['operationBoard'],
    'changeset/filesReviewChanged': ['operationBoard', 'operations'],
    'changeset/operationsChanged': [],
    'changeset/operationStatusChanged': [],
    'changeset/cleared': ['operationBoard'],
    'changeset/disposed': ['operationBoard'],
  },
  terminal: {
    'terminal/data': [],
    'terminal/input': ['terminals'],
    'terminal/resized': ['terminals'],
    'terminal/claimed': ['terminals'],
    'terminal/titleChanged': ['terminals'],
    'terminal/cwdChanged': [],
    'terminal/exited': ['terminals'],
    'terminal/cleared': [],
    'terminal/commandDetectionAvailable': [],
    'terminal/commandExecuted': [],
    'terminal/commandFinished': [],
  },
  annotations: {
    'annotations/set': ['annotations'],
    'annotations/updated': ['annotations'],
    'annotations/removed': ['annotations'],
    'annotations/entrySet': [],
    'annotations/entryRemoved': [],
  },
  // What automations do about actions, they decide in the same tick (see `CONSEQUENCES`).
  automation: {
    'automation/createRequested': [],
    'automation/updateRequested': [],
    'automation/set': [],
    'automation/removed': [],
  },
  automationRun: {
    'automationRun/lifecycleChanged': [],
    'automationRun/sessionSet': [],
    'automationRun/sessionRemoved': [],
    'automationRun/primarySessionChanged': [],
    'automationRun/cancelRequested': [],
  },
} as const satisfies Table;

/** Which part of the host decides something in the tick of an action itself, so that no crash can separate the two. */
const CONSEQUENCES = {
  'automation/createRequested': 'automation',
  'automation/updateRequested': 'automation',
  'automation/removed': 'automation',
  'automationRun/cancelRequested': 'automationRun',
  'session/ready': 'session',
  'session/creationFailed': 'session',
  'session/chatRemoved': 'session',
  'session/inputNeededSet': 'session',
  'chat/turnComplete': 'chat',
  'chat/turnCancelled': 'chat',
  'chat/error': 'chat',
  'chat/truncated': 'chat',
} as const satisfies { readonly [T in StateAction['type']]?: ChannelKind };

/** The same, with the functions of the service of automations: nothing else needs this yet. */
export function consequencesOf({ automations }: Services): Effects {
  if (!automations) return new Map();
  const decide = {
    automation: (committed: Committed<'automation'>) => automations.onAutomation(committed),
    automationRun: (committed: Committed<'automationRun'>) => automations.onRun(committed),
    session: (committed: Committed<'session'>) => automations.onSession(committed),
    chat: (committed: Committed<'chat'>) => automations.onChat(committed),
  };
  const rows = Object.entries(CONSEQUENCES).map(
    ([type, kind]) => [type as StateAction['type'], [decide[kind] as Effect]] as const,
  );
  return new Map(rows);
}

/** The table, with the functions of the services that this host has. */
export function effectsOf(services: Services): Effects {
  const { auth, turnTelemetry, resources, mcp, customizations, changesets, operations } = services;
  const { terminals, annotations, notifications, search, budgets, turns } = services;
  const reactions: Reactions = {
    session: {
      starters: (committed) => auth.starters.onSession(committed),
      telemetry: (committed) => turnTelemetry.onSession(committed),
      accessRequests: (committed) => resources.requests.onSession(committed),
      mcp: (committed) => mcp.onSession(committed),
      customizations: (committed) => customizations?.onSession(committed),
      changesets: (committed) => changesets?.onSession(committed),
      annotations: (committed) => annotations.onFolders(committed),
      notifications: (committed) => notifications?.onSession(committed),
      search: (committed) => search?.onSession(committed),
      turns: (committed) => turns.onSession(committed),
    },
    chat: {
      starters: (committed) => auth.starters.onChat(committed),
      telemetry: (committed) => turnTelemetry.onChat(committed),
      accessRequests: (committed) => resources.requests.onChat(committed),
      changesets: (committed) => changesets?.onChat(committed),
      annotations: (committed) => annotations.onTurnEnded(committed),
      notifications: (committed) => notifications?.onChat(committed),
      search: (committed) => search?.onChat(committed),
      budgets: (committed) => budgets.onChat(committed),
      turns: (committed) => turns.onChat(committed),
    },
    changeset: {
      operationBoard: (committed) => operations?.board.onChangeset(committed),
      operations: (committed) => operations?.onReviewChanged(committed),
    },
    terminal: { terminals: (committed) => terminals?.onTerminal(committed) },
    annotations: { annotations: (committed) => annotations.onAnnotations(committed) },
    automation: {},
    automationRun: {},
  };
  const rows = Object.entries(EFFECTS).flatMap(([kind, actions]) => {
    const named = reactions[kind as keyof typeof EFFECTS] as Readonly<Record<string, Effect>>;
    return Object.entries(actions).map(([type, names]: [string, readonly string[]]) => {
      return [type as StateAction['type'], names.flatMap((name) => named[name] ?? [])] as const;
    });
  });
  return new Map(rows);
}

type Table = {
  readonly [K in Exclude<ChannelKind, 'root' | 'resourceWatch'>]: {
    readonly [T in ActionOf<K>['type']]: readonly string[];
  };
};

/** For each name in the table of a channel kind, what it stands for. */
type Reactions = {
  readonly [K in keyof typeof EFFECTS]: {
    readonly [N in (typeof EFFECTS)[K][keyof (typeof EFFECTS)[K]] extends infer Row
      ? Row extends readonly (infer Name extends string)[]
        ? Name
        : never
      : never]: Effect<K>;
  };
};
