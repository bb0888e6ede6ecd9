import type {
  ChatInputAnswer,
  ChatInputResponseKind,
  ResponsePart,
  ToolCallResult,
  ToolCallState,
  Turn,
} from '@moorage/protocol';
import type { InputOutcome, ToolConfirmation, ToolDecision } from '../../ports/agent-questions.js';
import { shortInput } from './bounded-input.js';

export function runningCalls(parts: Turn['responseParts']): string[] {
  return parts.flatMap((part) =>
    part.kind === 'toolCall' && part.toolCall.status === 'running' ? [part.toolCall.toolCallId] : [],
  );
}

/**
 * The user's decision about a call, read from its state. So it is known even if it was made before anyone waited for
 * it.
 */
export function decisionOf(call: ToolCallState): ToolDecision | undefined {
  if (call.status === 'running') {
    const { toolInput, selectedOption } = call;
    return {
      approved: true,
      ...(typeof toolInput === 'string' && { toolInput }),
      ...(selectedOption && { option: selectedOption }),
    };
  }
  if (call.status !== 'cancelled') return undefined;
  const { reason, selectedOption, reasonMessage, userSuggestion } = call;
  return {
    approved: false,
    reason: reason === 'denied' ? 'denied' : 'skipped',
    ...(selectedOption && { option: selectedOption }),
    ...(reasonMessage !== undefined && { message: reasonMessage }),
    ...(userSuggestion && { suggestion: userSuggestion }),
  };
}

/** The decision with the input that the agent asked about, where state has only the beginning of it. */
export function withWholeInput(
  decision: ToolDecision,
  { toolInput }: Pick<ToolConfirmation, 'toolInput'>,
): ToolDecision {
  if (!decision.approved || toolInput === undefined || decision.toolInput !== shortInput(toolInput)) return decision;
  return { ...decision, toolInput };
}

/** Drops drafts, which only other clients should see: an answer was submitted or skipped (B-214). */
export function outcomeOf(response: ChatInputResponseKind, answers: Record<string, ChatInputAnswer>): InputOutcome {
  if (response !== 'accept') return { response };
  const given = Object.entries(answers).filter(([, answer]) => answer.state !== 'draft');
  return { response, answers: Object.fromEntries(given) };
}

/** What was answered to a request in this turn, if it was asked and answered. Of several with one id it is the last. */
export function answerIn(parts: readonly ResponsePart[], requestId: string): InputOutcome | undefined {
  const asked = parts.findLast((part) => part.kind === 'inputRequest' && part.request.id === requestId);
  if (asked?.kind !== 'inputRequest' || asked.response === undefined) return undefined;
  return outcomeOf(asked.response, asked.request.answers ?? {});
}

export function failure(message: string): ToolCallResult {
  return { success: false, pastTenseMessage: message, error: { message } };
}
