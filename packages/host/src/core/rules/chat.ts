import {
  type ChatState,
  isResumable,
  type Message,
  openRequests,
  type SessionState,
  type ToolCallState,
} from '@moorage/protocol';
import { type Holder, mayAdd, mayRemove } from './folders.js';
import { acceptProblem, answerProblem } from './input-answers.js';
import { ACCEPT, CONFIRM, type RuleContext, type Rules, reject, unless, withTokens } from './verdict.js';

export const chatRules: Rules<'chat'> = {
  // One turn at a time, from a user message (B-150, B-152), in a writable chat (OQ-48) of a session whose creation did not
  // fail (OQ-38), with an id that is new in the session (OQ-52, OQ-80), from a client with the needed tokens (OQ-98).
  'chat/turnStarted': ({ turnId, message, startedAt }, { state, session, hasTurnElsewhere, missingTokens }) =>
    withTokens(
      unless(
        notWritable(state) ||
          notFromUser(message) ||
          notCreated(session) ||
          (state.activeTurn && 'a turn is already active: queue the message, or stop that turn first') ||
          (turnId === '' && 'the turn needs an id') ||
          (Number.isNaN(Date.parse(startedAt)) && 'startedAt: expected a time') ||
          ((state.turns.some((turn) => turn.id === turnId) || hasTurnElsewhere(turnId)) &&
            `there is a turn "${turnId}" already`),
      ),
      missingTokens(),
    ),
  // The first of two cancellations wins (B-64), and only the turn that the client names is cancelled (OQ-53).
  'chat/turnCancelled': ({ turnId }, { state }) =>
    unless(
      !state.activeTurn
        ? 'no turn is active'
        : state.activeTurn.id !== turnId && `turn "${turnId}" is not the active one`,
    ),
  'chat/turnResume': ({ turnId }, { state }) => {
    const last = state.turns.at(-1);
    return unless(
      (state.activeTurn && 'a turn is already active') ||
        (last?.id !== turnId && `"${turnId}" is not the last turn`) ||
        (last && !isResumable(last) && 'this turn cannot be taken up again: send a new message'),
    );
  },
  // Truncating at an unknown turn would change nothing, so it is rejected (B-222, OQ-57).
  'chat/truncated': ({ turnId }, { state }) =>
    unless(
      notWritable(state) ||
        (turnId !== undefined &&
          !state.turns.some((turn) => turn.id === turnId) &&
          `there is no finished turn "${turnId}"`),
    ),
  'chat/toolCallConfirmed': (action, context) => judgeConfirmation(action, context),
  // Only from the client that provides the tool, while the call runs (B-197, OQ-63). A result must not overwrite members of
  // the call itself (OQ-30).
  'chat/toolCallComplete': (action, context) => {
    const call = findCall(context.state, action);
    const reserved = Object.keys(action.result).find((key) => CALL_MEMBERS.has(key));
    return unless(notOwned(call, context.clientId) || (reserved !== undefined && `a result cannot set "${reserved}"`));
  },
  'chat/toolCallContentChanged': (action, context) =>
    unless(notOwned(findCall(context.state, action), context.clientId)),
  // Only for a call whose result waits for confirmation (B-177, OQ-63).
  'chat/toolCallResultConfirmed': (action, { state }) =>
    unless(
      findCall(state, action)?.status !== 'pending-result-confirmation' &&
        'this call does not wait for a confirmation of its result',
    ),
  // User messages in writable chats (B-204, OQ-48). A queued message becomes a turn of its sender, so the sender needs the
  // tokens; a steering message joins a turn that has them already.
  'chat/pendingMessageSet': ({ kind, id, message }, { state, session, missingTokens }) =>
    withTokens(
      unless(
        notWritable(state) ||
          notFromUser(message) ||
          notCreated(session) ||
          (id === '' && 'the message needs an id') ||
          (kind === 'queued' && isQueueFull(state, id) && `a chat can have ${MAX_QUEUED} queued messages`),
      ),
      kind === 'queued' ? missingTokens() : [],
    ),
  'chat/pendingMessageRemoved': ({ kind, id }, { state }) => {
    const known =
      kind === 'steering' ? state.steeringMessage?.id === id : state.queuedMessages?.some((queued) => queued.id === id);
    return unless(!known && `there is no ${kind} message "${id}"`);
  },
  'chat/queuedMessagesReordered': () => ACCEPT, // unknown ids are ignored (B-203)
  // An answer must belong to an open question and fit it (B-211, OQ-70).
  'chat/inputAnswerChanged': ({ requestId, questionId, answer }, { state }) => {
    const request = openRequests(state).find((candidate) => candidate.id === requestId);
    if (!request) return reject(`there is no input request "${requestId}"`);
    const question = request.questions?.find((candidate) => candidate.id === questionId);
    if (!question) return reject(`there is no question "${questionId}"`);
    return unless(answer && answerProblem(question, answer));
  },
  // Accepting requires an answer to every required question (B-214, OQ-70).
  'chat/inputCompleted': ({ requestId, response, answers }, { state }) => {
    const request = openRequests(state).find((candidate) => candidate.id === requestId);
    if (!request) return reject(`there is no input request "${requestId}"`);
    return unless(response === 'accept' && acceptProblem(request, answers));
  },
  // A client that is refused erases what its user is typing (V-22, V-47).
  'chat/draftChanged': () => ACCEPT,
  // Plain flags that any client may set.
  'chat/isReadChanged': () => ACCEPT,
  'chat/isArchivedChanged': () => ACCEPT,
  // The same for a chat with folders of its own; others work in those of their session.
  'chat/workingDirectorySet': ({ directory }, context) => mayAdd(directory, foldersOf(context)),
  'chat/workingDirectoryRemoved': ({ directory }, context) => mayRemove(directory, foldersOf(context)),
};

function foldersOf({ state, foldersProblem }: RuleContext<'chat'>): Holder {
  return {
    folders: state.workingDirectories ?? [],
    isBusy: state.activeTurn !== undefined,
    problem: foldersProblem,
  };
}

type Confirmed = Parameters<Rules<'chat'>['chat/toolCallConfirmed']>[0];

/** The first valid answer wins (B-188, OQ-65). A denial from the owner of a call that already runs fails the call (OQ-60). */
function judgeConfirmation(action: Confirmed, { state, clientId, isVscode }: RuleContext<'chat'>) {
  // VS Code approves by itself when the user presses Stop while a call waits. Its turn is over, and nothing runs (V-48).
  if (isVscode && state.turns.some(({ id }) => id === action.turnId)) return CONFIRM;
  const call = findCall(state, action);
  if (call?.status !== 'pending-confirmation') {
    const denied = !action.approved && call?.status === 'running' && isOwner(call, clientId);
    return reject(
      'this call does not wait for a confirmation',
      denied ? failedByOwner(action.turnId, action.toolCallId) : undefined,
    );
  }
  const { selectedOptionId } = action;
  const option = call.options?.find((candidate) => candidate.id === selectedOptionId);
  if (selectedOptionId !== undefined && !option) return reject(`there is no option "${selectedOptionId}"`);
  if (option && (option.kind === 'approve') !== action.approved) {
    return reject(`option "${option.id}" does not ${action.approved ? 'approve' : 'deny'}`);
  }
  if (!action.approved) return ACCEPT;
  if (action.editedToolInput !== undefined && !call.editable) return reject('the input of this call cannot be edited');
  return unless(action.confirmed === 'not-needed' && 'a client cannot say that no confirmation was needed');
}

/** The completion of a running call whose own client refuses to run it. */
function failedByOwner(turnId: string, toolCallId: string) {
  return {
    type: 'chat/toolCallComplete',
    turnId,
    toolCallId,
    result: {
      success: false,
      pastTenseMessage: 'The client refused to run the tool',
      error: { message: 'The client refused to run the tool' },
    },
  } as const;
}

function notWritable(state: ChatState): string | undefined {
  const { interactivity } = state;
  return interactivity === 'read-only' || interactivity === 'hidden' ? `this chat is ${interactivity}` : undefined;
}

/** Queued messages of one chat: more than people line up, and every snapshot contains all of them. */
const MAX_QUEUED = 100;

function isQueueFull({ queuedMessages = [] }: ChatState, id: string): boolean {
  return queuedMessages.length >= MAX_QUEUED && !queuedMessages.some((queued) => queued.id === id);
}

function notCreated(session: SessionState | undefined): string | undefined {
  return session?.lifecycle === 'failed' ? 'the session could not be created' : undefined;
}

function notFromUser(message: Message): string | undefined {
  return message.origin.kind === 'user' ? undefined : 'a client can send only messages of the user';
}

function findCall(state: ChatState, target: { turnId: string; toolCallId: string }): ToolCallState | undefined {
  if (state.activeTurn?.id !== target.turnId) return undefined;
  for (const part of state.activeTurn.responseParts) {
    if (part.kind === 'toolCall' && part.toolCall.toolCallId === target.toolCallId) return part.toolCall;
  }
  return undefined;
}

function isOwner(call: ToolCallState, clientId: string): boolean {
  return call.contributor?.kind === 'client' && call.contributor.clientId === clientId;
}

function notOwned(call: ToolCallState | undefined, clientId: string): string | undefined {
  if (call?.status !== 'running') return 'there is no such call running';
  return isOwner(call, clientId) ? undefined : 'only the client whose tool it is can do that';
}

/** Members of a call that a result must not contain: the reducer spreads the result over the call. */
const CALL_MEMBERS = new Set([
  'status',
  'toolCallId',
  'toolName',
  'displayName',
  'intention',
  'contributor',
  '_meta',
  'invocationMessage',
  'toolInput',
  'confirmed',
  'selectedOption',
]);
