import type { AgentEvent, TurnOutcome } from '@moorage/host/ports';
import { fields, label } from '../../shared/untrusted.js';

/**
 * How a turn ended, by the answer to its prompt and a failure that was reported besides. One agent calls a turn cancelled
 * after the user denied a call; if nobody cancelled it, it is complete.
 */
export function outcomeOf(result: unknown, userCancelled: boolean, failure?: string): TurnOutcome {
  const { stopReason } = fields(result);
  if (userCancelled) return { kind: 'cancelled' };
  if (failure !== undefined) return { kind: 'error', error: { errorType: 'agentFailed', message: failure } };
  if (stopReason !== 'refusal') return { kind: 'complete' };
  return { kind: 'error', error: { errorType: 'refused', message: 'The agent refused to go on with this message.' } };
}

/** What the user should know about why a turn stopped. */
export function stopNotice(result: unknown): AgentEvent[] {
  const text = NOTICES[label(fields(result).stopReason) ?? ''];
  return text === undefined ? [] : [{ kind: 'notice', text }];
}

const NOTICES: Readonly<Record<string, string>> = {
  max_tokens: 'The agent stopped because its answer reached the limit of tokens.',
  max_turn_requests: 'The agent stopped because it reached its limit of model requests in one turn.',
};
