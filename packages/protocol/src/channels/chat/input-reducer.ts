import { removeAt, replaceAt } from '../../common/list.js';
import { SessionStatus, withFlag } from '../../common/status.js';
import type { ActionOf } from '../action-table.js';
import type { ReducerEnv } from '../reducer.js';
import type { ChatInputRequest } from './input-request.js';
import type { ChatState } from './state.js';
import { isoTime, withRefreshedStatus } from './status.js';

type InputAction = Extract<
  ActionOf<'chat'>,
  { type: 'chat/inputRequested' | 'chat/inputAnswerChanged' | 'chat/inputCompleted' }
>;

export function reduceInputRequests(state: ChatState, action: InputAction, env: ReducerEnv): ChatState {
  const requests = state.inputRequests ?? [];
  const id = action.type === 'chat/inputRequested' ? action.request.id : action.requestId;
  const index = requests.findIndex((request) => request.id === id);
  const known = requests[index];
  if (action.type === 'chat/inputRequested') {
    const request = known ? { ...action.request, answers: action.request.answers ?? known.answers } : action.request;
    const inputRequests = known ? replaceAt(requests, index, request) : [...requests, request];
    const asking = withRefreshedStatus(withRequests(state, inputRequests, env));
    return { ...asking, status: withFlag(asking.status, SessionStatus.IsRead, false) };
  }
  if (!known) return state;
  if (action.type === 'chat/inputAnswerChanged') {
    return withRequests(state, replaceAt(requests, index, answered(known, action)), env);
  }
  return withRefreshedStatus(withRequests(state, removeAt(requests, index), env));
}

function withRequests(state: ChatState, inputRequests: ChatInputRequest[], env: ReducerEnv): ChatState {
  return {
    ...state,
    inputRequests: inputRequests.length ? inputRequests : undefined,
    modifiedAt: isoTime(env.now()),
  };
}

function answered(
  request: ChatInputRequest,
  action: Extract<InputAction, { type: 'chat/inputAnswerChanged' }>,
): ChatInputRequest {
  // Built from entries, not by assignment: a question id may be `__proto__`.
  const others = Object.entries(request.answers ?? {}).filter(([questionId]) => questionId !== action.questionId);
  const entries = action.answer ? [...others, [action.questionId, action.answer] as const] : others;
  return { ...request, answers: entries.length ? Object.fromEntries(entries) : undefined };
}
