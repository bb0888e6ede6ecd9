import type { ResponsePart } from './response-part.js';
import type { ChatState } from './state.js';
import type { ActiveTurn } from './turn.js';

// Text arrives by the thousand: copying with a literal of fixed keys is many times faster than a spread (`hasOnlyKeys`).

export type TextPart = Extract<ResponsePart, { kind: 'markdown' | 'reasoning' }>;

export const TEXT_PART_KEYS = ['kind', 'id', 'content'];
export const TURN_KEYS = ['id', 'message', 'responseParts', 'usage'];
export const CHAT_KEYS = [
  'resource',
  'title',
  'status',
  'activity',
  'modifiedAt',
  'model',
  'agent',
  'origin',
  'interactivity',
  'workingDirectory',
  'turns',
  'activeTurn',
  'steeringMessage',
  'queuedMessages',
  'inputRequests',
  '_meta',
];

export function withText(part: TextPart, content: string, plain: boolean): TextPart {
  return plain ? ({ kind: part.kind, id: part.id, content } as TextPart) : { ...part, content };
}

/** The chat with other parts in its active turn; `plain` says that neither has members besides the known ones. */
export function withParts(state: ChatState, turn: ActiveTurn, parts: ResponsePart[], plain: boolean): ChatState {
  if (!plain) return { ...state, activeTurn: { ...turn, responseParts: parts } };
  const activeTurn = { id: turn.id, message: turn.message, responseParts: parts, usage: turn.usage };
  return {
    resource: state.resource,
    title: state.title,
    status: state.status,
    activity: state.activity,
    modifiedAt: state.modifiedAt,
    model: state.model,
    agent: state.agent,
    origin: state.origin,
    interactivity: state.interactivity,
    workingDirectory: state.workingDirectory,
    turns: state.turns,
    activeTurn,
    steeringMessage: state.steeringMessage,
    queuedMessages: state.queuedMessages,
    inputRequests: state.inputRequests,
    _meta: state._meta,
  };
}
