import type { DialectName } from '../../../src/versions/index.js';
import { reduceChat } from './chat.js';
import { rulesOf } from './rules.js';
import { reduceSession } from './session.js';
import { IDLE, list, object, type Wire } from './wire.js';

const RULES = rulesOf('0.4');

/** What clients of a version without chats do with an action on a session, as the difference from 0.4. */
export function reduceMergedSession(dialect: DialectName, state: Wire, action: Wire): Wire {
  return SESSION_LEVEL.test(String(action.type))
    ? reduceOwn(dialect, state, action)
    : reduceConversation(dialect, state, action);
}

const SESSION_LEVEL =
  /^session\/(ready|creationFailed|title|model|agent|serverTools|activeClient|customization|mcpServer|isRead|isArchived|activity|diffs|changesets|config|meta)/;

/** Before 0.4 the conversation was part of the session, and its status part of the summary. */
function reduceConversation(dialect: DialectName, state: Wire, action: Wire): Wire {
  const summary = object(state.summary);
  const isRenamed = dialect !== '0.3'; // `message` was `userMessage`, `contributor` was `toolClientId`
  const theirs = isRenamed ? theirTurn : (turn: Wire) => turn;
  const pending = isRenamed ? theirMessage : (message: Wire) => message;
  const chat = {
    status: summary.status,
    modifiedAt: '1970-01-01T00:00:00.000Z',
    turns: state.turns,
    activeTurn: state.activeTurn && ourTurn(object(state.activeTurn)),
    steeringMessage: state.steeringMessage && ourMessage(object(state.steeringMessage)),
    queuedMessages: state.queuedMessages && list(state.queuedMessages).map(ourMessage),
    inputRequests: state.inputRequests,
  };
  // Only the start of a call set its `_meta`.
  const { _meta, ...plain } = action;
  const given = action.type === 'session/toolCallStart' ? action : plain;
  const type = String(action.type).replace('session/', 'chat/');
  const after = reduceChat(RULES, chat, ourCall(ourMessage({ ...given, type })), 0);
  const turns = list(after.turns);
  const finished = turns.length > list(state.turns).length ? turns.length - 1 : -1;
  return {
    ...state,
    summary: { ...summary, status: after.status },
    turns: turns.map((turn, index) => (index === finished ? theirs(turn) : turn)),
    activeTurn: after.activeTurn && theirs(object(after.activeTurn)),
    steeringMessage: after.steeringMessage && pending(object(after.steeringMessage)),
    queuedMessages: after.queuedMessages && list(after.queuedMessages).map(pending),
    inputRequests: after.inputRequests,
  };
}

function reduceOwn(dialect: DialectName, state: Wire, action: Wire): Wire {
  const summary = object(state.summary);
  const isEarly = dialect === 'v1' || dialect === '0.1';
  switch (action.type) {
    case 'session/ready': {
      const ready = { ...state, lifecycle: 'ready' };
      return isEarly ? { ...ready, summary: { ...summary, status: IDLE } } : ready;
    }
    case 'session/diffsChanged':
      return { ...state, summary: { ...summary, diffs: action.diffs } };
    case 'session/changesetsChanged':
      if (dialect === '0.3') return { ...state, changesets: action.changesets };
      return { ...state, summary: { ...summary, changesets: action.changesets } };
    case 'session/customizationToggled': {
      if (!isEarly) break;
      const known = list(state.customizations);
      const index = known.findIndex(({ customization }) => object(customization).uri === action.uri);
      const customizations = known.map((entry, i) => (i === index ? { ...entry, enabled: action.enabled } : entry));
      return { ...state, customizations };
    }
    default:
      break;
  }
  const { chats: _, ...after } = reduceSession(RULES, { ...state, chats: [] }, action, 0);
  return after;
}

function ourMessage(holder: Wire): Wire {
  if (!('userMessage' in holder)) return holder;
  const { userMessage, ...others } = holder;
  return { ...others, message: userMessage };
}

function theirMessage(holder: Wire): Wire {
  const { message, ...others } = holder;
  return { ...others, userMessage: message };
}

function ourTurn(turn: Wire): Wire {
  return ourMessage({ ...turn, responseParts: list(turn.responseParts).map((part) => mapCall(part, ourCall)) });
}

function theirTurn(turn: Wire): Wire {
  return theirMessage({ ...turn, responseParts: list(turn.responseParts).map((part) => mapCall(part, theirCall)) });
}

function mapCall(part: Wire, change: (call: Wire) => Wire): Wire {
  return part.kind === 'toolCall' ? { ...part, toolCall: change(object(part.toolCall)) } : part;
}

/** `toolClientId` went through the same hands as `contributor` does. */
function ourCall(call: Wire): Wire {
  if (!('toolClientId' in call)) return call;
  const { toolClientId, ...others } = call;
  return { ...others, contributor: { toolClientId } };
}

function theirCall(call: Wire): Wire {
  const { contributor, ...others } = call;
  const { toolClientId } = object(contributor);
  return toolClientId === undefined ? others : { ...others, toolClientId };
}
