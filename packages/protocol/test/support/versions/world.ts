import {
  type ActionOf,
  type ChatState,
  CREATED_AT,
  type Customization,
  isObject,
  openRequests,
  reduce,
  type SessionState,
  SessionStatus,
  type StateAction,
} from '../../../src/index.js';
import {
  type Change,
  type DialectName,
  type Directory,
  legacyChat,
  type Subject,
} from '../../../src/versions/index.js';
import { findCall } from '../../../src/versions/shared/find-call.js';
import { toWire } from '../../../src/versions/shared/wire.js';
import { CHAT_VERSIONS, rulesOf } from './rules.js';

export const SESSION = 'ahp-session:/s';
export const CHAT = 'ahp-chat:/own';
const START = '1970-01-01T00:00:00.000Z';

/** A session with its own chat, as a host has them. */
export class World {
  session: SessionState = {
    provider: 'p',
    title: 't',
    status: 1,
    lifecycle: 'creating',
    activeClients: [],
    chats: [{ resource: CHAT, title: 'c', status: 1, modifiedAt: START }],
    defaultChat: CHAT,
    _meta: { [CREATED_AT]: START },
  };
  chat: ChatState = { resource: CHAT, title: 'c', status: 1, modifiedAt: START, turns: [] };

  readonly directory: Directory = {
    defaultDirectory: undefined,
    now: () => 0,
    resolve: (uri) => uri,
    providerOf: () => 'p',
    session: (uri) => (uri === SESSION ? this.session : undefined),
    chat: (uri) => (uri === CHAT ? this.chat : undefined),
    sessionOfChat: (uri) => (uri === CHAT ? { uri: SESSION, state: this.session } : undefined),
  };

  apply(action: StateAction): Change {
    const isChat = action.type.startsWith('chat/');
    const before = isChat ? this.chat : this.session;
    if (isChat) this.chat = reduce('chat', this.chat, action as ActionOf<'chat'>, { now: () => 0 });
    else this.session = reduce('session', this.session, action as ActionOf<'session'>, { now: () => 0 });
    return {
      channel: isChat ? CHAT : SESSION,
      kind: isChat ? 'chat' : 'session',
      action,
      before,
      after: isChat ? this.chat : this.session,
      session: { uri: SESSION, state: this.session },
    };
  }

  /** An action of the past as a replay knows it: without states, in the session of today. */
  replayed(action: StateAction): Change {
    const isChat = action.type.startsWith('chat/');
    const session = { uri: SESSION, state: this.session };
    return { channel: isChat ? CHAT : SESSION, kind: isChat ? 'chat' : 'session', action, session };
  }

  sessionSubject(isMerged: boolean): Subject {
    const chat = isMerged && legacyChat(this.session) === CHAT ? this.chat : undefined;
    return { kind: 'session', uri: SESSION, state: this.session, chat };
  }

  chatSubject(): Subject {
    return { kind: 'chat', uri: CHAT, state: this.chat, session: { uri: SESSION, state: this.session } };
  }
}

/** What a host does when an action comes up: what it says besides, and what it takes care of not to say. */
export function asHost(world: World, random: StateAction, dialect: DialectName, count: number): StateAction[] {
  const action = named(world, random, count);
  if (!isSaid(world, action, dialect)) return [];
  const isNews = NEWS.has(action.type);
  const isRead = (world.session.status & SessionStatus.IsRead) !== 0;
  return isNews && isRead ? [action, { type: 'session/isReadChanged', isRead: false }] : [action];
}

const NEWS: ReadonlySet<string> = new Set(['chat/turnStarted', 'chat/turnResume', 'chat/inputRequested']);

/** Turns have ids of their own, and most actions concern the turn that is active, or the last one. */
function named(world: World, action: StateAction, count: number): StateAction {
  const { chat } = world;
  switch (action.type) {
    case 'chat/turnStarted':
      return { ...action, turnId: `t${count}`, startedAt: new Date(count * 1000).toISOString() };
    case 'chat/turnComplete':
    case 'chat/turnCancelled':
    case 'chat/error':
      return {
        ...action,
        turnId: chat.activeTurn?.id ?? 'none',
        duration: Math.abs(Math.trunc(action.duration)) % 1e6,
      };
    case 'chat/turnResume':
      return { ...action, turnId: chat.turns.at(-1)?.id ?? 'none' };
    case 'chat/truncated': {
      const index = count % (chat.turns.length + 2);
      return index > chat.turns.length ? { type: action.type } : { ...action, turnId: chat.turns[index]?.id ?? 'none' };
    }
    case 'session/customizationsChanged':
      return { ...action, customizations: unique(action.customizations).map(withOwnChildren) };
    case 'session/customizationUpdated':
      return { ...action, customization: withOwnChildren(action.customization) };
    case 'session/metaChanged':
      return { ...action, _meta: { ...action._meta, [CREATED_AT]: START } };
    default:
      return count % 8 === 0 ? action : ({ ...action, ...matching(world, action, count) } as StateAction);
  }
}

/** No host lists two things with one id. */
export function unique<T extends { id: string }>(list: readonly T[]): T[] {
  return [...new Map(list.map((entry) => [entry.id, entry])).values()];
}

function withOwnChildren<C extends Customization>(entry: C): C {
  if (entry.type === 'mcpServer' || !entry.children) return entry;
  return { ...entry, children: entry.children.map((child, index) => ({ ...child, id: `${entry.id}/${index}` })) };
}

/** The members of an action that name something, with what is there to be named. */
function matching({ chat, session }: World, action: StateAction, count: number): object {
  const parts = chat.activeTurn?.responseParts ?? [];
  const pick = <T>(ids: readonly T[]): T | undefined => ids[count % Math.max(1, ids.length)];
  const call = pick(parts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall.toolCallId] : [])));
  const text = pick(parts.flatMap((part) => ('id' in part ? [part.id] : [])));
  const request = pick(openRequests(chat).map(({ id }) => id));
  const top = session.customizations ?? [];
  const entries = [...top, ...top.flatMap((entry) => (entry.type === 'mcpServer' ? [] : (entry.children ?? [])))];
  const customization = pick(entries.map(({ id }) => id));
  const directory = pick(session.workingDirectories ?? []);
  const client = pick(session.activeClients.map(({ clientId }) => clientId));
  const { type } = action;
  return {
    ...('turnId' in action && chat.activeTurn && { turnId: chat.activeTurn.id }),
    ...('toolCallId' in action && type !== 'chat/toolCallStart' && call !== undefined && { toolCallId: call }),
    ...('partId' in action && text !== undefined && { partId: text }),
    ...('requestId' in action && request !== undefined && { requestId: request }),
    ...(/customizationToggled|mcpServer/.test(type) && customization !== undefined && { id: customization }),
    ...(/^session.*Directory(Removed|Replaced)/.test(type) && directory !== undefined && { directory }),
    ...(type === 'session/activeClientRemoved' && client !== undefined && { clientId: client }),
  };
}

const WAITING: ReadonlySet<string> = new Set(['pending-confirmation', 'pending-result-confirmation', 'auth-required']);

function isSaid({ chat, session }: World, action: StateAction, dialect: DialectName): boolean {
  const version = CHAT_VERSIONS.find((each) => each === dialect);
  switch (action.type) {
    case 'session/ready':
      // The first version forgets what the session is at.
      return (dialect !== 'v1' && dialect !== '0.1') || chat.status === SessionStatus.Idle;
    case 'chat/turnStarted':
      return chat.activeTurn === undefined;
    case 'chat/inputRequested':
      return chat.activeTurn !== undefined;
    case 'chat/toolCallStart':
      return findCall(chat, toWire(action)) === undefined;
    case 'chat/responsePart':
      if (action.part.kind === 'inputRequest') return false; // questions are asked by an action of their own
      if (action.part.kind !== 'toolCall') return true;
      // As is what a call waits for: without that action, nothing says that the chat waits.
      if (WAITING.has(action.part.toolCall.status)) return false;
      return findCall(chat, { ...action, ...action.part.toolCall }) === undefined;
    case 'chat/turnsLoaded':
      return false; // every replica here has all turns
    case 'chat/toolCallAuthRequired':
    case 'chat/toolCallAuthResolved':
      if (!chat.activeTurn || !findCall(chat, toWire(action))) return false; // it would settle the status natively
      return action._meta === undefined || (version !== undefined && rulesOf(version).hasInputParts);
    case 'chat/toolCallReady': {
      const call = findCall(chat, toWire(action));
      // 0.6 does not learn that a call is a server's, and so not that it waits for a token.
      if (dialect === '0.6' && action.contributor) return false;
      if (action.confirmed || (version && rulesOf(version).hasInputParts)) return true;
      // Before 0.6 nobody sees how a call of a client's own tool changes while it waits for approval.
      return (
        call?.status !== 'pending-confirmation' || !isObject(call.contributor) || call.contributor.kind !== 'client'
      );
    }
    case 'session/chatRemoved':
      // Whoever shows the model of a session goes on showing that of a default chat that is gone.
      return dialect !== '0.4' || action.chat !== session.defaultChat;
    default:
      return true;
  }
}
