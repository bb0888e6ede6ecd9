import { SessionStatus, withFlag } from '../../common/status.js';
import type { ActionOf } from '../action-table.js';
import type { ChatInputRequest } from './input-request.js';
import type { InputRequestResponsePart, ResponsePart } from './response-part.js';
import type { ChatState } from './state.js';
import { withRefreshedStatus } from './turn-queries.js';

type InputAction = Extract<
  ActionOf<'chat'>,
  { type: 'chat/inputRequested' | 'chat/inputAnswerChanged' | 'chat/inputCompleted' }
>;
type Of<T extends InputAction['type']> = Extract<InputAction, { type: T }>;

/** A request for input is a part of the turn that asks; it can be answered only while that turn is active. */
export function reduceInputRequests(state: ChatState, action: InputAction): ChatState {
  const turn = state.activeTurn;
  if (!turn) return state;
  const parts = turn.responseParts;
  const id = action.type === 'chat/inputRequested' ? action.request.id : action.requestId;
  const index = parts.findIndex((part) => isOpenRequest(part) && part.request.id === id);
  const open = parts[index] as InputRequestResponsePart | undefined;
  if (action.type === 'chat/inputRequested') {
    const asked = withParts(state, open ? parts.with(index, asking(action, open)) : [...parts, asking(action)]);
    return { ...asked, status: withFlag(asked.status, SessionStatus.IsRead, false) };
  }
  if (!open) return state;
  const answered = action.type === 'chat/inputAnswerChanged' ? withAnswer(open, action) : completed(open, action);
  return withParts(state, parts.with(index, answered));
}

/** Whether a part asks the user something that nobody has answered. */
export function isOpenRequest(part: ResponsePart): part is InputRequestResponsePart {
  return part.kind === 'inputRequest' && part.response === undefined;
}

function withParts(state: ChatState, responseParts: ResponsePart[]): ChatState {
  return withRefreshedStatus({ ...state, activeTurn: state.activeTurn && { ...state.activeTurn, responseParts } });
}

/** Asking again keeps what was answered so far, unless the new request brings answers of its own. */
function asking({ request }: Of<'chat/inputRequested'>, open?: InputRequestResponsePart): InputRequestResponsePart {
  if (!open) return { kind: 'inputRequest', request };
  return { ...open, request: { ...request, answers: request.answers ?? open.request.answers } };
}

function withAnswer(part: InputRequestResponsePart, action: Of<'chat/inputAnswerChanged'>): InputRequestResponsePart {
  const { questionId, answer } = action;
  // Built from entries, not by assignment: a question id may be `__proto__`.
  const others = Object.entries(part.request.answers ?? {}).filter(([id]) => id !== questionId);
  return withAnswers(part, answer ? [...others, [questionId, answer]] : others);
}

function completed(part: InputRequestResponsePart, action: Of<'chat/inputCompleted'>): InputRequestResponsePart {
  const given = Object.entries(action.answers ?? {});
  const kept = Object.entries(part.request.answers ?? {}).filter(([id]) => !given.some(([other]) => other === id));
  const answered = { ...withAnswers(part, [...kept, ...given]), response: action.response };
  return action._meta === undefined ? answered : { ...answered, _meta: action._meta };
}

function withAnswers(
  part: InputRequestResponsePart,
  entries: readonly (readonly [string, NonNullable<ChatInputRequest['answers']>[string]])[],
): InputRequestResponsePart {
  const answers = entries.length > 0 ? Object.fromEntries(entries) : undefined;
  return { ...part, request: { ...part.request, answers } };
}
