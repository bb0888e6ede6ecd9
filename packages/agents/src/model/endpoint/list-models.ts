import type { IncomingMessage } from 'node:http';
import { count, fields, label, list } from '../../shared/untrusted.js';
import type { ModelEndpoint } from '../options.js';
import { keyHeaders, urlAt } from './endpoint-address.js';
import { send, textOf } from './http-request.js';

/** A model as its endpoint lists it. */
export interface ListedModel {
  readonly id: string;
  /** Tokens, if the endpoint says how many fit. */
  readonly contextWindow?: number | undefined;
}

/** An endpoint that takes longer is asked again later. */
const ANSWER_WITHIN_MS = 5_000;

/** UTF-16 units of a list: as much as the largest gateways have, several times over. */
const MAX_LIST_CHARS = 8 * 1024 * 1024;

/** Models of one endpoint that are offered; some gateways have hundreds. */
const MAX_MODELS = 200;

/** The models that an endpoint lists; undefined if it does not answer or keeps no list. */
export async function listModels(endpoint: ModelEndpoint): Promise<ListedModel[] | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const version = endpoint.api === 'anthropic' && { 'anthropic-version': '2023-06-01' };
    const headers = { ...version, ...keyHeaders(endpoint) };
    const answer = await send({ url: urlAt(endpoint, 'models'), headers, signal });
    const { data } = fields(JSON.parse(await wholeText(answer)));
    if (!Array.isArray(data)) return undefined;
    return data.slice(0, MAX_MODELS).flatMap(modelOf);
  } catch {
    return undefined; // a list is a help, not a need: the first request says what is wrong
  }
}

async function wholeText(answer: IncomingMessage): Promise<string> {
  let whole = '';
  for await (const text of textOf(answer)) {
    whole += text;
    if (whole.length > MAX_LIST_CHARS) throw new Error('the list of models is too long');
  }
  return whole;
}

/** There is no common name for the window: OpenRouter has the first, vLLM the second. */
function modelOf(value: unknown): ListedModel[] {
  const { id, context_length, max_model_len, max_context_length, meta } = fields(value);
  const name = label(id);
  if (name === undefined) return [];
  const windows = list([context_length, max_model_len, max_context_length, fields(meta).n_ctx]).map(count);
  return [{ id: name, contextWindow: windows.find((tokens) => tokens !== undefined && tokens > 0) }];
}
