import { type DeliveryFailure, NotDeliveredError, RejectedError, RequestError } from '@moorage/client';
import { capitalized } from './format.js';

/** An error as a sentence for the user. */
export function sentenceOf(error: unknown): string {
  if (error instanceof RejectedError) return asSentence(error.reason);
  if (error instanceof RequestError && error.kind === 'lost')
    return 'The connection dropped before the host answered. Check whether it was done before you try again.';
  if (error instanceof NotDeliveredError) return error.sent ? MAYBE_SENT : NOT_SENT[error.kind];
  return asSentence(error instanceof Error ? error.message : String(error));
}

const MAYBE_SENT =
  'The connection dropped, and the host may not have received it. Check whether it was done before you try again.';
const NOT_SENT: Readonly<Record<DeliveryFailure, string>> = {
  dropped: 'It was not sent: the connection dropped.',
  replaced: 'It was not sent: the connection dropped.',
  timeout: 'It was not sent: there was no connection for too long.',
  overflow: 'It was not sent: too much is already waiting for the host.',
  released: 'It was not sent: you left that part of the page.',
  gone: 'It was not sent: what it was meant for no longer exists.',
  closed: 'It was not sent: the connection has ended.',
};

function asSentence(text: string): string {
  const trimmed = text.trim() || 'something went wrong';
  const capital = capitalized(trimmed);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
