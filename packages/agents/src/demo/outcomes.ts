import type { TurnOutcome } from '@moorage/host/ports';
import type { ErrorInfo } from '@moorage/protocol';

export const CANCELLED: TurnOutcome = { kind: 'cancelled' };

export function failed(error: ErrorInfo): TurnOutcome {
  return { kind: 'error', error };
}

/** The agent's process is gone; `how` says how it ended, such as "signal SIGKILL". */
export function exitedError(how: string): ErrorInfo {
  const message = `The process of the demo agent ended by itself (${how}). Send another message to start it again.`;
  return { errorType: 'agentExited', message };
}

export const CANNOT_RESUME: TurnOutcome = failed({
  errorType: 'cannotResume',
  message: 'The demo agent does not know how far this turn had come before the restart. Send the message again.',
});
