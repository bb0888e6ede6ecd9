import type {
  ActionOf,
  AnnotationsState,
  ChatState,
  Message,
  RootState,
  SessionState,
  TerminalState,
  Turn,
} from '@moorage/protocol';

export const ROOT = 'ahp-root://';
export const SESSION = 'ahp-session:/s';
export const CHAT = 'ahp-chat:/c';
export const TERMINAL = 'ahp-terminal:/t';
export const ANNOTATIONS = 'ahp-session:/s/annotations';

function message(text: string): Message {
  return { text, origin: { kind: 'user' } };
}

export function rootState(over: Partial<RootState> = {}): RootState {
  return { agents: [], ...over };
}

export function sessionState(over: Partial<SessionState> = {}): SessionState {
  const metadata = { provider: 'mock', title: 'A session', status: 1 };
  return { ...metadata, lifecycle: 'ready', activeClients: [], chats: [], ...over };
}

export function chatState(over: Partial<ChatState> = {}): ChatState {
  return { resource: CHAT, title: 'A chat', status: 1, modifiedAt: '2025-12-24T08:00:00.000Z', turns: [], ...over };
}

/** A chat with turn `t` in progress and an empty markdown part `p`. */
export function busyChat(): ChatState {
  const activeTurn = {
    id: 't',
    startedAt: '2025-12-24T08:00:00.000Z',
    message: message('do it'),
    responseParts: [{ kind: 'markdown' as const, id: 'p', content: '' }],
  };
  return chatState({ status: 8, activeTurn });
}

/** A finished turn. */
export function turn(id: string): Turn {
  return { id, message: message(id), responseParts: [], state: 'complete' };
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

export function annotationsState(): AnnotationsState {
  return { annotations: [] };
}

export const title = (text: string) => ({ type: 'session/titleChanged' as const, title: text });
export const delta = (content: string) => ({ type: 'chat/delta' as const, turnId: 't', partId: 'p', content });
export const data = (text: string) => ({ type: 'terminal/data' as const, data: text });
export const queued = (id: string, text: string): ActionOf<'chat'> => ({
  type: 'chat/pendingMessageSet',
  kind: 'queued',
  id,
  message: message(text),
});
