import type { streamText } from 'ai';
import { fields } from '../../shared/untrusted.js';

type RequestOptions = Pick<Parameters<typeof streamText>[0], 'providerOptions' | 'includeRawChunks'>;

/**
 * Options for OpenAI's responses protocol. The endpoint shall store nothing, so reasoning comes encrypted and goes back with
 * the next request; where possible we also get a summary of it.
 */
export const RESPONSES_OPTIONS: RequestOptions = {
  providerOptions: { openai: { store: false, reasoningSummary: 'auto' } },
  includeRawChunks: true, // the SDK ignores the event that reports a failure
};

/** The failure that an event of the stream reports, if it does. */
export function failureEvent(event: unknown): Error | undefined {
  const { type, response } = fields(event);
  if (type !== 'response.failed') return undefined;
  const { message, code } = fields(fields(response).error);
  const said = [message, code].filter((words) => typeof words === 'string' && words !== '');
  return new Error(said.join(' ') || 'it does not say which');
}
