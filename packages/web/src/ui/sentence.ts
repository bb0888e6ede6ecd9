import { RejectedError, RequestError } from '@ahpd/client';
import { capitalized } from './format.js';

/** An error as a sentence for the person who sees it. */
export function sentenceOf(error: unknown): string {
  if (error instanceof RejectedError) return asSentence(error.reason);
  if (error instanceof RequestError && error.kind === 'lost')
    return 'The connection dropped before the host answered. Look whether it was done, then try again.';
  return asSentence(error instanceof Error ? error.message : String(error));
}

function asSentence(text: string): string {
  const trimmed = text.trim() || 'something went wrong';
  const capital = capitalized(trimmed);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
