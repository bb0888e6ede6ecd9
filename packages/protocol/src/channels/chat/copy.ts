import type { ResponsePart } from './response-part.js';
import type { ChatState } from './state.js';
import type { ActiveTurn } from './turn.js';

// Text arrives by the thousand: copying with a literal of fixed keys is many times faster than a spread (`hasOnlyKeys`).

export type TextPart = Extract<ResponsePart, { kind: 'markdown' | 'reasoning' }>;

export const TEXT_PART_KEYS = ['kind', 'id', 'content'];
export const TURN_KEYS = ['id', 'startedAt', 'message', 'responseParts', 'usage'];
export const CHAT_KEYS = [
  'resource',
  'title',
  'status',
  'activity',
  'modifiedAt',
  'changes',
  'origin',
  'movable',
  'interactivity',
  'workingDirectories',
  'changesets',
  'backgroundWork',
  'turns',
  'turnsNextCursor',
  'activeTurn',
  'steeringMessage',
  'queuedMessages',
  'draft',
  '_meta',
];

export function withText(part: TextPart, content: string, plain: boolean): TextPart {
  return plain ? ({ kind: part.kind, id: part.id, content } as TextPart) : { ...part, content };
}

/** The chat with other parts in its active turn; `plain` says that neither has members besides the known ones. */
export function withParts(state: ChatState, turn: ActiveTurn, parts: ResponsePart[], plain: boolean): ChatState {
  if (!plain) return { ...state, activeTurn: { ...turn, responseParts: parts } };
  const { id, startedAt, message, usage } = turn;
  const activeTurn = { id, startedAt, message, responseParts: parts, usage };
  return {
    resource: state.resource,
    title: state.title,
    status: state.status,
    activity: state.activity,
    modifiedAt: state.modifiedAt,
    changes: state.changes,
    origin: state.origin,
    movable: state.movable,
    interactivity: state.interactivity,
    workingDirectories: state.workingDirectories,
    changesets: state.changesets,
    backgroundWork: state.backgroundWork,
    turns: state.turns,
    turnsNextCursor: state.turnsNextCursor,
    activeTurn,
    steeringMessage: state.steeringMessage,
    queuedMessages: state.queuedMessages,
    draft: state.draft,
    _meta: state._meta,
  };
}
