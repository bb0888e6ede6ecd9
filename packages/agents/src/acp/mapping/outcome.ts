import type { AgentEvent, TurnOutcome } from '@ahpd/host/ports';
import { fields, label } from '../../shared/untrusted.js';

/**
 * How a turn ended, from the answer to its prompt and from a failure that was told beside it. An agent may call a turn cancelled that nobody cancelled: one does so
 * after a denied call. For the user that turn is complete.
 */
export function outcomeOf(result: unknown, userCancelled: boolean, failure?: string): TurnOutcome {
  const { stopReason } = fields(result);
  if (userCancelled) return { kind: 'cancelled' };
  if (failure !== undefined) return { kind: 'error', error: { errorType: 'agentFailed', message: failure } };
  if (stopReason !== 'refusal') return { kind: 'complete' };
  return { kind: 'error', error: { errorType: 'refused', message: 'The agent refused to go on with this message.' } };
}

/** What the user must know of the way in which a turn stopped. */
export function stopNotice(result: unknown): AgentEvent[] {
  const text = NOTICES[label(fields(result).stopReason) ?? ''];
  return text === undefined ? [] : [{ kind: 'notice', text }];
}

const NOTICES: Readonly<Record<string, string>> = {
  max_tokens: 'The agent stopped because its answer reached the limit of tokens.',
  max_turn_requests: 'The agent stopped because it reached its limit of model requests in one turn.',
};
