import type { ChatState, Message, SessionState, ToolCallState } from '@ahpd/protocol';
import { acceptProblem, answerProblem } from './input-answers.js';
import { ACCEPT, type RuleContext, type Rules, reject, unless, withTokens } from './verdict.js';

export const chatRules: Rules<'chat'> = {
  // One turn at a time, of the user (B-150, B-152), in a chat that is written to (OQ-48) and of a session that did not fail
  // (OQ-38), under an id that the session does not have yet (OQ-52, OQ-80), by who has the tokens for it (OQ-98).
  'chat/turnStarted': ({ turnId, message }, { state, session, hasTurnElsewhere, missingTokens }) =>
    withTokens(
      unless(
        notWritable(state) ||
          notFromUser(message) ||
          notCreated(session) ||
          (state.activeTurn && 'a turn is already active') ||
          (turnId === '' && 'the turn needs an id') ||
          ((state.turns.some((turn) => turn.id === turnId) || hasTurnElsewhere(turnId)) &&
            `there is a turn "${turnId}" already`),
      ),
      missingTokens(),
    ),
  // Of two who cancel the first does (B-64), and nobody cancels another turn than they mean (OQ-53).
  'chat/turnCancelled': ({ turnId }, { state }) =>
    unless(
      !state.activeTurn
        ? 'no turn is active'
        : state.activeTurn.id !== turnId && `turn "${turnId}" is not the active one`,
    ),
  // An unknown turn would cut nothing, so the sender is told (B-222, OQ-57).
  'chat/truncated': ({ turnId }, { state }) =>
    unless(
      notWritable(state) ||
        (turnId !== undefined &&
          !state.turns.some((turn) => turn.id === turnId) &&
          `there is no finished turn "${turnId}"`),
    ),
  'chat/toolCallConfirmed': (action, context) => confirmed(action, context),
  // Only the client whose tool it is, while it runs (B-197, OQ-63); a result says nothing of the call itself (OQ-30).
  'chat/toolCallComplete': (action, context) => {
    const call = findCall(context.state, action);
    const taken = Object.keys(action.result).find((key) => CALL_MEMBERS.has(key));
    return unless(notOwned(call, context.clientId) || (taken !== undefined && `a result cannot set "${taken}"`));
  },
  'chat/toolCallContentChanged': (action, context) =>
    unless(notOwned(findCall(context.state, action), context.clientId)),
  // Only a result that waits for it (B-177, OQ-63).
  'chat/toolCallResultConfirmed': (action, { state }) =>
    unless(
      findCall(state, action)?.status !== 'pending-result-confirmation' &&
        'this call does not wait for a confirmation of its result',
    ),
  // Messages of the user, where one may write (B-204, OQ-48). What is queued becomes a turn of its sender; what steers
  // joins a turn that has its tokens.
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
  // An answer belongs to a question that is open, and fits it (B-211, OQ-70).
  'chat/inputAnswerChanged': ({ requestId, questionId, answer }, { state }) => {
    const request = state.inputRequests?.find((candidate) => candidate.id === requestId);
    if (!request) return reject(`there is no input request "${requestId}"`);
    const question = request.questions?.find((candidate) => candidate.id === questionId);
    if (!question) return reject(`there is no question "${questionId}"`);
    return unless(answer && answerProblem(question, answer));
  },
  // Accepting needs an answer to all that is required (B-214, OQ-70).
  'chat/inputCompleted': ({ requestId, response, answers }, { state }) => {
    const request = state.inputRequests?.find((candidate) => candidate.id === requestId);
    if (!request) return reject(`there is no input request "${requestId}"`);
    return unless(response === 'accept' && acceptProblem(request, answers));
  },
};

type Confirmed = Parameters<Rules<'chat'>['chat/toolCallConfirmed']>[0];

/** The first answer that fits counts (B-188, OQ-65). A denial of a call that runs already fails it (OQ-60). */
function confirmed(action: Confirmed, { state, clientId }: RuleContext<'chat'>) {
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

/** A client that cannot run its own tool says no, though the call runs already: it has failed then. */
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

/** Messages that wait in one chat: what people line up, and all of them are in each snapshot. */
const MAX_QUEUED = 100;

function isQueueFull({ queuedMessages = [] }: ChatState, id: string): boolean {
  return queuedMessages.length >= MAX_QUEUED && !queuedMessages.some((queued) => queued.id === id);
}

function notCreated(session: SessionState | undefined): string | undefined {
  return session?.lifecycle === 'creationFailed' ? 'the session could not be created' : undefined;
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

/** Members of a call that a result must not overwrite when the reducer spreads it. */
const CALL_MEMBERS = new Set([
  'status',
  'toolCallId',
  'toolName',
  'displayName',
  'contributor',
  '_meta',
  'invocationMessage',
  'toolInput',
  'confirmed',
  'selectedOption',
]);
