import type { Rules } from './rules.js';
import { isUnderWay, reduceToolCall, skippedCall, waits } from './tool-call.js';
import {
  ERROR,
  IDLE,
  IN_PROGRESS,
  INPUT_NEEDED,
  IS_READ,
  list,
  nonEmpty,
  object,
  upsert,
  type Wire,
  withActivity,
  withFlag,
} from './wire.js';

/** The reducer of chats of one version. */
export function reduceChat(rules: Rules, chat: Wire, action: Wire, now: number): Wire {
  const type = String(action.type);
  const turn = object(chat.activeTurn);
  const isActive = chat.activeTurn !== undefined && turn.id === action.turnId;
  switch (type) {
    case 'chat/turnStarted':
      return startTurn(rules, chat, action, now);
    case 'chat/turnComplete':
      return endTurn(rules, chat, action, now, { state: 'complete' }, IDLE);
    case 'chat/turnCancelled':
      return endTurn(rules, chat, action, now, { state: 'cancelled' }, IDLE);
    case 'chat/error':
      return endTurn(
        rules,
        chat,
        action,
        now,
        { state: 'error', ...(action.error ? { error: action.error } : {}) },
        ERROR,
      );
    case 'chat/truncated':
      return truncate(rules, chat, action, now);
    case 'chat/delta':
      return isActive ? append(chat, action, 'markdown') : chat;
    case 'chat/reasoning':
      return isActive ? append(chat, action, 'reasoning') : chat;
    case 'chat/usage':
      return isActive ? withTurn(chat, { usage: action.usage }) : chat;
    case 'chat/responsePart':
      if (!isActive || (rules.hasErrorParts && object(action.part).kind === 'error')) return chat;
      return withTurn(chat, { responseParts: [...list(turn.responseParts), action.part] });
    case 'chat/inputRequested':
    case 'chat/inputAnswerChanged':
    case 'chat/inputCompleted':
      return rules.hasInputParts ? reduceInputParts(rules, chat, action) : reduceInputList(rules, chat, action, now);
    case 'chat/pendingMessageSet':
    case 'chat/pendingMessageRemoved':
    case 'chat/queuedMessagesReordered':
      return reducePending(chat, action);
    case 'chat/draftChanged':
      return rules.isFlat ? { ...chat, draft: action.draft } : chat;
    case 'chat/activityChanged':
      return rules.isFlat ? { ...chat, activity: action.activity } : chat;
    case 'chat/turnsLoaded':
      return rules.listsInputNeeded ? loadTurns(chat, action) : chat;
    case 'chat/turnResume':
      return rules.hasErrorParts ? resumeTurn(rules, chat, action) : chat;
    case 'chat/workingDirectorySet':
      return rules.hasDirectories ? withDirectory(chat, action.directory) : chat;
    case 'chat/workingDirectoryRemoved':
      return rules.hasDirectories ? withoutDirectory(chat, action.directory) : chat;
    default:
      return type.startsWith('chat/toolCall') ? toolCall(rules, chat, action) : chat;
  }
}

/** These refresh the status whether or not they find a call. */
const REFRESHING = /^chat\/toolCall(Ready|Confirmed|Complete|ResultConfirmed|AuthRequired|AuthResolved)$/;

function toolCall(rules: Rules, chat: Wire, action: Wire): Wire {
  const turn = object(chat.activeTurn);
  const isActive = chat.activeTurn !== undefined && turn.id === action.turnId;
  const changed = isActive
    ? withTurn(chat, { responseParts: reduceToolCall(rules, list(turn.responseParts), action) })
    : chat;
  return REFRESHING.test(String(action.type)) ? refreshed(rules, changed) : changed;
}

function startTurn(rules: Rules, chat: Wire, action: Wire, now: number): Wire {
  const { turnId: id, message, startedAt, queuedMessageId } = action;
  const times = rules.hasInputParts ? { startedAt } : {};
  const started = refreshed(rules, {
    ...chat,
    ...(queuedMessageId ? withoutPending(chat, queuedMessageId) : {}),
    activeTurn: { id, ...times, message, responseParts: [], usage: undefined },
    modifiedAt: rules.hasInputParts ? startedAt : isoTime(now),
  });
  return { ...started, status: withFlag(started.status, IS_READ, false) };
}

function endTurn(rules: Rules, chat: Wire, action: Wire, now: number, ending: Wire, activity: number): Wire {
  const turn = object(chat.activeTurn);
  if (chat.activeTurn === undefined || turn.id !== action.turnId) return chat;
  const duration = Math.max(0, Number(action.duration));
  const parts = list(turn.responseParts).map((part) =>
    part.kind === 'toolCall' && isUnderWay(object(part.toolCall))
      ? { kind: 'toolCall', toolCall: skippedCall(rules, object(part.toolCall)) }
      : part,
  );
  const end = new Date(Date.parse(String(turn.startedAt)) + duration);
  const timed = Number.isNaN(end.getTime()) ? chat.modifiedAt : end.toISOString();
  return {
    ...chat,
    turns: [
      ...list(chat.turns),
      {
        ...turn,
        ...(rules.hasInputParts && { duration }),
        responseParts: action.part ? [...parts, action.part] : parts,
        ...ending,
      },
    ],
    activeTurn: undefined,
    inputRequests: undefined,
    modifiedAt: rules.hasInputParts ? timed : isoTime(now),
    status: withActivity(chat.status, activity),
  };
}

function resumeTurn(rules: Rules, chat: Wire, action: Wire): Wire {
  const last = list(chat.turns).at(-1);
  const part = list(last?.responseParts).at(-1);
  const isResumable = last?.state === 'error' && part?.kind === 'error' && part.resumable === true;
  if (chat.activeTurn !== undefined || !last || last.id !== action.turnId || !isResumable) return chat;
  const { id, startedAt, message, responseParts, usage } = last;
  const resumed = refreshed(rules, {
    ...chat,
    turns: list(chat.turns).slice(0, -1),
    activeTurn: { id, startedAt: startedAt ?? chat.modifiedAt, message, responseParts, usage },
  });
  return { ...resumed, status: withFlag(resumed.status, IS_READ, false) };
}

function truncate(rules: Rules, chat: Wire, { turnId }: Wire, now: number): Wire {
  const last = turnId === undefined ? -1 : list(chat.turns).findIndex(({ id }) => id === turnId);
  if (turnId !== undefined && last < 0) return chat;
  return {
    ...chat,
    turns: list(chat.turns).slice(0, last + 1),
    turnsNextCursor: turnId === undefined ? undefined : chat.turnsNextCursor,
    activeTurn: undefined,
    inputRequests: undefined,
    modifiedAt: rules.hasInputParts ? chat.modifiedAt : isoTime(now),
    status: withActivity(chat.status, IDLE),
  };
}

function loadTurns(chat: Wire, { turns, turnsNextCursor }: Wire): Wire {
  const known = new Set(list(chat.turns).map(({ id }) => id));
  const older = list(turns).filter(({ id }) => !known.has(id));
  return { ...chat, turns: [...older, ...list(chat.turns)], turnsNextCursor };
}

function append(chat: Wire, action: Wire, kind: string): Wire {
  const parts = list(object(chat.activeTurn).responseParts);
  const index = parts.findIndex((part) =>
    part.kind === 'toolCall' ? object(part.toolCall).toolCallId === action.partId : part.id === action.partId,
  );
  const part = parts[index];
  if (part?.kind !== kind) return chat;
  const content = String(part.content) + String(action.content);
  return withTurn(chat, { responseParts: parts.with(index, { ...part, content }) });
}

/** Before 0.6 the questions that are open are a list beside the turns. */
function reduceInputList(rules: Rules, chat: Wire, action: Wire, now: number): Wire {
  const requests = list(chat.inputRequests);
  const request = object(action.request);
  const id = action.type === 'chat/inputRequested' ? request.id : action.requestId;
  const known = requests.find((each) => each.id === id);
  const modifiedAt = isoTime(now);
  if (action.type === 'chat/inputRequested') {
    const asked = known ? { ...request, answers: request.answers ?? known.answers } : request;
    const inputRequests = upsert(requests, asked, (each) => each.id === id);
    const asking = refreshed(rules, { ...chat, inputRequests, modifiedAt });
    return { ...asking, status: withFlag(asking.status, IS_READ, false) };
  }
  if (!known) return chat;
  if (action.type === 'chat/inputAnswerChanged') {
    const inputRequests = requests.map((each) => (each === known ? withAnswer(each, action) : each));
    return { ...chat, inputRequests, modifiedAt };
  }
  const left = nonEmpty(requests.filter((each) => each !== known));
  const recorded = rules.recordsAnswers && chat.activeTurn !== undefined ? recordAnswer(chat, known, action) : chat;
  return refreshed(rules, { ...recorded, inputRequests: left, modifiedAt });
}

function recordAnswer(chat: Wire, request: Wire, action: Wire): Wire {
  const part = { kind: 'inputRequest', request: withAnswers(request, action), response: action.response };
  return withTurn(chat, { responseParts: [...list(object(chat.activeTurn).responseParts), part] });
}

/** Since 0.6 they are parts of the turn. */
function reduceInputParts(rules: Rules, chat: Wire, action: Wire): Wire {
  if (chat.activeTurn === undefined) return chat;
  const parts = list(object(chat.activeTurn).responseParts);
  const request = object(action.request);
  const id = action.type === 'chat/inputRequested' ? request.id : action.requestId;
  const open = parts.find((part) => isOpen(part) && object(part.request).id === id);
  const known = object(open?.request);
  if (action.type === 'chat/inputRequested') {
    const part = { kind: 'inputRequest', ...open, request: { ...request, answers: request.answers ?? known.answers } };
    const responseParts = open ? parts.map((each) => (each === open ? part : each)) : [...parts, part];
    const asking = refreshed(rules, withTurn(chat, { responseParts }));
    return { ...asking, status: withFlag(asking.status, IS_READ, false) };
  }
  if (!open) return chat;
  const answered =
    action.type === 'chat/inputAnswerChanged'
      ? { ...open, request: withAnswer(known, action) }
      : { ...open, request: withAnswers(known, action), response: action.response };
  return refreshed(rules, withTurn(chat, { responseParts: parts.map((each) => (each === open ? answered : each)) }));
}

function isOpen(part: Wire): boolean {
  return part.kind === 'inputRequest' && part.response === undefined;
}

function withAnswer(request: Wire, { questionId, answer }: Wire): Wire {
  const others = Object.entries(object(request.answers)).filter(([id]) => id !== questionId);
  const entries = answer ? [...others, [questionId, answer] as const] : others;
  return { ...request, answers: entries.length ? Object.fromEntries(entries) : undefined };
}

function withAnswers(request: Wire, { answers }: Wire): Wire {
  const merged = new Map([...Object.entries(object(request.answers)), ...Object.entries(object(answers))]);
  return { ...request, answers: merged.size ? Object.fromEntries(merged) : undefined };
}

function reducePending(chat: Wire, action: Wire): Wire {
  const { kind, id, message } = action;
  const queue = list(chat.queuedMessages);
  const steering = object(chat.steeringMessage);
  switch (action.type) {
    case 'chat/pendingMessageSet':
      if (kind === 'steering') return { ...chat, steeringMessage: { id, message } };
      return { ...chat, queuedMessages: upsert(queue, { id, message }, (each) => each.id === id) };
    case 'chat/pendingMessageRemoved':
      if (kind === 'steering') return steering.id === id ? { ...chat, steeringMessage: undefined } : chat;
      return { ...chat, queuedMessages: nonEmpty(queue.filter((each) => each.id !== id)) };
    default: {
      if (!chat.queuedMessages) return chat;
      const first = new Set((action.order as string[]).flatMap((each) => queue.find((one) => one.id === each) ?? []));
      return { ...chat, queuedMessages: [...first, ...queue.filter((each) => !first.has(each))] };
    }
  }
}

function withoutPending(chat: Wire, id: unknown): Wire {
  const left = list(chat.queuedMessages).filter((each) => each.id !== id);
  return {
    steeringMessage: object(chat.steeringMessage).id === id ? undefined : chat.steeringMessage,
    queuedMessages: nonEmpty(left),
  };
}

export function withDirectory(holder: Wire, directory: unknown): Wire {
  const known = (holder.workingDirectories ?? []) as unknown[];
  return known.includes(directory) ? holder : { ...holder, workingDirectories: [...known, directory] };
}

export function withoutDirectory(holder: Wire, directory: unknown): Wire {
  const known = holder.workingDirectories as unknown[] | undefined;
  if (!known?.includes(directory)) return holder;
  return { ...holder, workingDirectories: known.filter((each) => each !== directory) };
}

function withTurn(chat: Wire, changes: Wire): Wire {
  return { ...chat, activeTurn: { ...object(chat.activeTurn), ...changes } };
}

function refreshed(rules: Rules, chat: Wire): Wire {
  return { ...chat, status: withActivity(chat.status, activityOf(rules, chat)) };
}

function activityOf(rules: Rules, chat: Wire): number {
  if (list(chat.inputRequests).length > 0) return INPUT_NEEDED;
  if (chat.activeTurn === undefined) return IDLE;
  const parts = list(object(chat.activeTurn).responseParts);
  const isWaiting = parts.some(
    (part) => (rules.hasInputParts && isOpen(part)) || (part.kind === 'toolCall' && waits(object(part.toolCall))),
  );
  return isWaiting ? INPUT_NEEDED : IN_PROGRESS;
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
