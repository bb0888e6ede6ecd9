import { type ChannelKind, reduce, SessionStatus } from '@moorage/protocol';
import type { DialectName } from '@moorage/protocol/versions';

type Wire = Record<string, unknown>;

/**
 * What clients of each version do with an action: the reducers of that version, written down as their differences from
 * ours. They know nothing of the translators: states and actions are those of the version.
 */
export function reduceLegacy(dialect: DialectName, kind: ChannelKind, state: Wire, action: Wire): Wire {
  if (kind !== 'session') return native(kind, state, action);
  if (dialect === '0.5') return reduceSession05(state, action);
  if (dialect === '0.4') return native('session', state, action);
  return isConversation(action) ? reduceConversation(state, action) : reduceSession(dialect, state, action);
}

function native(kind: ChannelKind, state: Wire, action: Wire): Wire {
  return reduce(kind, state as never, action as never, { now: () => 0 }) as unknown as Wire;
}

/** Before 0.4 the conversation was part of the session, and its status part of the summary. */
function reduceConversation(state: Wire, action: Wire): Wire {
  const summary = state.summary as Wire;
  const chat = {
    resource: '',
    title: '',
    status: summary.status,
    modifiedAt: '1970-01-01T00:00:00.000Z',
    turns: state.turns,
    activeTurn: state.activeTurn && ourTurn(state.activeTurn as Wire),
    steeringMessage: state.steeringMessage && ourMessage(state.steeringMessage as Wire),
    queuedMessages: (state.queuedMessages as Wire[] | undefined)?.map(ourMessage),
    inputRequests: state.inputRequests,
  };
  // Only the start of a call set its `_meta`.
  const { _meta, ...plain } = action;
  const told = action.type === 'session/toolCallStart' ? action : plain;
  const type = String(action.type).replace('session/', 'chat/');
  const after = native('chat', chat, ourCall(ourMessage({ ...told, type })));
  const theirs = usesUserMessage(state, action) ? theirTurn : (turn: Wire) => turn;
  const pending = usesUserMessage(state, action) ? theirMessage : (message: Wire) => message;
  const turns = after.turns as Wire[];
  const finished = turns.length > (state.turns as Wire[]).length ? turns.length - 1 : -1;
  return {
    ...state,
    summary: { ...summary, status: after.status },
    turns: turns.map((turn, index) => (index === finished ? theirs(turn) : turn)),
    activeTurn: after.activeTurn && theirs(after.activeTurn as Wire),
    steeringMessage: after.steeringMessage && pending(after.steeringMessage as Wire),
    queuedMessages: (after.queuedMessages as Wire[] | undefined)?.map(pending),
    inputRequests: after.inputRequests,
  };
}

function reduceSession(dialect: DialectName, state: Wire, action: Wire): Wire {
  const summary = state.summary as Wire;
  switch (action.type) {
    case 'session/ready': {
      const ready = { ...state, lifecycle: 'ready' };
      const isEarly = dialect === 'v1' || dialect === '0.1';
      return isEarly ? { ...ready, summary: { ...summary, status: SessionStatus.Idle } } : ready;
    }
    case 'session/diffsChanged':
      return { ...state, summary: { ...summary, diffs: action.diffs } };
    case 'session/changesetsChanged':
      if (dialect === '0.3') return { ...state, changesets: action.changesets };
      return { ...state, summary: { ...summary, changesets: action.changesets } };
    case 'session/customizationToggled': {
      if (dialect === '0.3' || dialect === '0.2') break;
      const list = (state.customizations ?? []) as { customization: Wire }[];
      const index = list.findIndex((entry) => entry.customization.uri === action.uri);
      const customizations = list.map((entry, i) => (i === index ? { ...entry, enabled: action.enabled } : entry));
      return { ...state, customizations };
    }
    default:
      break;
  }
  const { chats: _chats, ...after } = native('session', { ...state, chats: [] }, action);
  return after;
}

const INLINED = ['provider', 'title', 'status', 'activity', 'project', 'workingDirectory', 'annotations'];

/** 0.5 has the members of the summary in the state, and a list of active clients. */
function reduceSession05(state: Wire, action: Wire): Wire {
  const clients = state.activeClients as { clientId: string }[];
  if (action.type === 'session/activeClientRemoved') {
    return { ...state, activeClients: clients.filter((client) => client.clientId !== action.clientId) };
  }
  if (action.type === 'session/activeClientSet') {
    const set = action.activeClient as { clientId: string };
    const known = clients.some((client) => client.clientId === set.clientId);
    const activeClients = known
      ? clients.map((client) => (client.clientId === set.clientId ? set : client))
      : [...clients, set];
    return { ...state, activeClients };
  }
  const summary = Object.fromEntries(INLINED.map((name) => [name, state[name]]));
  const { summary: next, ...others } = native('session', { ...state, summary }, action);
  const inlined = Object.fromEntries(INLINED.map((name) => [name, (next as Wire)[name]]));
  return { ...others, ...inlined };
}

const SESSION_LEVEL =
  /^session\/(ready|creationFailed|title|model|agent|serverTools|activeClient|customization|mcpServer|isRead|isArchived|activity|diffs|changesets|config|meta)/;

function isConversation(action: Wire): boolean {
  return !SESSION_LEVEL.test(String(action.type));
}

/** A version with `userMessage` has it wherever there is a message. */
function usesUserMessage(state: Wire, action: Wire): boolean {
  const pending = (state.queuedMessages ?? []) as Wire[];
  const places = [action, state.activeTurn, state.steeringMessage, ...pending] as (Wire | undefined)[];
  return places.some((place) => place && 'userMessage' in place);
}

function ourMessage(object: Wire): Wire {
  if (!('userMessage' in object)) return object;
  const { userMessage, ...others } = object;
  return { ...others, message: userMessage };
}

function theirMessage(object: Wire): Wire {
  const { message, ...others } = object;
  return { ...others, userMessage: message };
}

function ourTurn(turn: Wire): Wire {
  return ourMessage({ ...turn, responseParts: (turn.responseParts as Wire[]).map((part) => mapCall(part, ourCall)) });
}

function theirTurn(turn: Wire): Wire {
  return theirMessage({ ...turn, responseParts: (turn.responseParts as Wire[]).map((p) => mapCall(p, theirCall)) });
}

function mapCall(part: Wire, change: (call: Wire) => Wire): Wire {
  return part.kind === 'toolCall' ? { ...part, toolCall: change(part.toolCall as Wire) } : part;
}

/** `toolClientId` went through the same hands as `contributor` does. */
function ourCall(call: Wire): Wire {
  if (!('toolClientId' in call)) return call;
  const { toolClientId, ...others } = call;
  return { ...others, contributor: { toolClientId } };
}

function theirCall(call: Wire): Wire {
  const { contributor, ...others } = call;
  const { toolClientId } = (contributor ?? {}) as Wire;
  return toolClientId === undefined ? others : { ...others, toolClientId };
}
