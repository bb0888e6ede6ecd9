import type {
  ActiveTurn,
  AnnotationsState,
  AutomationEntry,
  AutomationRunState,
  ChangesetState,
  ChatInputRequest,
  ChatInputResponseKind,
  ChatState,
  ChatSummary,
  ErrorInfo,
  McpServerCustomization,
  Message,
  PluginCustomization,
  ResourceWatchState,
  RootState,
  SessionState,
  TerminalState,
  ToolCallState,
  Turn,
} from '../../src/index.js';

export const error: ErrorInfo = { errorType: 'Overload', message: 'try later' };

export function message(text: string): Message {
  return { text, origin: { kind: 'user' } };
}

export function automationEntry(resource: string, over: Partial<AutomationEntry> = {}): AutomationEntry {
  return {
    resource,
    definition: {
      title: 'Tidy up',
      message: message('tidy up'),
      session: {},
      enabled: true,
      triggers: [{ id: 't', kind: 'schedule', schedule: { expression: '0 9 * * 1-5', timeZone: 'Europe/Berlin' } }],
    },
    runs: [],
    operations: ['update', 'remove', 'run'],
    createdAt: '2026-01-02T03:04:00.000Z',
    modifiedAt: '2026-01-02T03:04:00.000Z',
    ...over,
  };
}

export function automationRunState(over: Partial<AutomationRunState> = {}): AutomationRunState {
  return {
    resource: 'ahp-automation-run:/r',
    automation: 'a',
    origin: { kind: 'manual' },
    lifecycle: { status: 'pending', createdAt: '2026-01-02T03:04:00.000Z' },
    sessions: [],
    ...over,
  };
}

export function rootState(over: Partial<RootState> = {}): RootState {
  return { agents: [], ...over };
}

export function chatSummary(resource: string, over: Partial<ChatSummary> = {}): ChatSummary {
  return { resource, title: 'Parsing', status: 1, modifiedAt: '2025-12-24T08:00:00.000Z', ...over };
}

export function sessionState(over: Partial<SessionState> = {}): SessionState {
  return {
    provider: 'mock',
    title: 'A session',
    status: 1,
    lifecycle: 'ready',
    activeClients: [],
    chats: [],
    ...over,
  };
}

export function plugin(id: string, over: Partial<PluginCustomization> = {}): PluginCustomization {
  return { type: 'plugin', id, uri: `file:///plugins/${id}`, name: id, ...over };
}

export function mcpServer(id: string, over: Partial<McpServerCustomization> = {}): McpServerCustomization {
  return {
    type: 'mcpServer',
    id,
    uri: `file:///servers/${id}`,
    name: id,
    state: { kind: 'starting' },
    ...over,
  };
}

export function chatState(over: Partial<ChatState> = {}): ChatState {
  return { ...chatSummary('ahp-chat:/c'), turns: [], ...over };
}

export function activeTurn(id: string, responseParts: ActiveTurn['responseParts'] = []): ActiveTurn {
  return { id, startedAt: '2026-01-02T03:04:00.000Z', message: message('do it'), responseParts };
}

export function finishedTurn(id: string, over: Partial<Turn> = {}): Turn {
  return { id, message: message(`ask ${id}`), responseParts: [], state: 'complete', ...over };
}

/** A chat with turn `t` in progress. */
export function busyChat(responseParts: ActiveTurn['responseParts'] = [], over: Partial<ChatState> = {}): ChatState {
  return chatState({ status: 8, activeTurn: activeTurn('t', responseParts), ...over });
}

export function markdown(id: string, content = ''): ActiveTurn['responseParts'][number] {
  return { kind: 'markdown', id, content };
}

export function reasoning(id: string, content = ''): ActiveTurn['responseParts'][number] {
  return { kind: 'reasoning', id, content };
}

export function requestPart(
  request: ChatInputRequest,
  response?: ChatInputResponseKind,
): ActiveTurn['responseParts'][number] {
  return { kind: 'inputRequest', request, ...(response && { response }) };
}

export function callPart(toolCall: ToolCallState): ActiveTurn['responseParts'][number] {
  return { kind: 'toolCall', toolCall };
}

export function terminalState(over: Partial<TerminalState> = {}): TerminalState {
  return {
    title: 'zsh',
    content: [],
    lifecycle: { status: 'running' },
    claim: { kind: 'client', clientId: 'laptop' },
    ...over,
  };
}

export function changesetState(over: Partial<ChangesetState> = {}): ChangesetState {
  return { status: 'ready', files: [], ...over };
}

export function changedFile(id: string, added = 1): ChangesetState['files'][number] {
  return { id, edit: { diff: { added } } };
}

export function annotation(id: string, entryIds: readonly string[] = ['e1']): AnnotationsState['annotations'][number] {
  return {
    id,
    origin: { session: 'ahp-session:/s', turnId: 't1' },
    resource: 'file:///a.ts',
    resolved: false,
    entries: entryIds.map((entryId) => ({ id: entryId, text: `note ${entryId}` })),
  };
}

export function watchState(over: Partial<ResourceWatchState> = {}): ResourceWatchState {
  return { root: 'file:///project', recursive: true, ...over };
}
