import type { ModelMessage } from 'ai';
import type { ModelEndpoint } from '../options.js';
import type { AnswerPart } from './answer.js';
import { completions } from './completions.js';

export interface ModelRequest {
  readonly endpoint: ModelEndpoint;
  readonly model: string;
  readonly system: string;
  readonly messages: ModelMessage[];
  readonly tools: readonly ModelToolSpec[];
  readonly maxOutputTokens?: number | undefined;
}

/** A tool as the model is told about it. */
export interface ModelToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly parameters: object;
}

/** Sends one request to its endpoint and nowhere else, and yields what comes of the answer. Throws what failureOf explains. */
export type Protocol = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<AnswerPart>;

/** Loads the SDK of a protocol, where it needs one. */
export async function loadProtocol(api: ModelEndpoint['api']): Promise<Protocol> {
  if (api === 'openai') return completions;
  const { sdkProtocol } = await import('./sdk-protocol.js');
  return sdkProtocol(api);
}
