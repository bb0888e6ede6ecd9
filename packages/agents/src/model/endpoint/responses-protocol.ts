import type { streamText } from 'ai';
import { fields } from '../../shared/untrusted.js';

type RequestOptions = Pick<Parameters<typeof streamText>[0], 'providerOptions' | 'includeRawChunks'>;

/**
 * What a request by OpenAI's responses protocol says besides the conversation: nothing is to be kept at the endpoint, so
 * reasoning comes sealed and goes back with the next request; and what it thinks is told in summary where it can be.
 */
export const RESPONSES_OPTIONS: RequestOptions = {
  providerOptions: { openai: { store: false, reasoningSummary: 'auto' } },
  includeRawChunks: true, // the SDK passes over the event that tells of a failure
};

/** The failure that an event of the stream tells of; undefined when it tells of something else. */
export function failureEvent(event: unknown): Error | undefined {
  const { type, response } = fields(event);
  if (type !== 'response.failed') return undefined;
  const { message, code } = fields(fields(response).error);
  const said = [message, code].filter((words) => typeof words === 'string' && words !== '');
  return new Error(said.join(' ') || 'it does not say which');
}
