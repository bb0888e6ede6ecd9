import { count, fields, label, list } from '../../shared/untrusted.js';
import type { ModelEndpoint } from '../options.js';

/** A model as its endpoint lists it. */
export interface ListedModel {
  readonly id: string;
  /** Tokens, if the endpoint says how many fit. */
  readonly contextWindow?: number | undefined;
}

/** An endpoint that takes longer is asked again later. */
const ANSWER_WITHIN_MS = 5_000;

/** Bytes of a list: as much as the largest gateways have, several times over. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** Models of one endpoint that are offered; some gateways have hundreds. */
const MAX_MODELS = 200;

/** The models that an endpoint lists; undefined if it does not answer or keeps no list. */
export async function listModels(endpoint: ModelEndpoint): Promise<ListedModel[] | undefined> {
  try {
    const url = `${endpoint.baseURL.replace(/\/+$/, '')}/models`;
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    // Redirects are not followed: they could carry the key anywhere.
    const response = await fetch(url, { headers: headersOf(endpoint), redirect: 'manual', signal });
    const body: unknown = response.ok ? JSON.parse(await textOf(response)) : undefined;
    const { data } = fields(body);
    if (!Array.isArray(data)) return undefined;
    return data.slice(0, MAX_MODELS).flatMap(modelOf);
  } catch {
    return undefined; // a list is a help, not a need: the first request says what is wrong
  }
}

function headersOf({ api, apiKey }: ModelEndpoint): Record<string, string> {
  if (api !== 'anthropic') return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return { 'anthropic-version': '2023-06-01', ...(apiKey !== undefined && { 'x-api-key': apiKey }) };
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_LIST_BYTES) throw new Error('the list of models is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** There is no common name for the window: OpenRouter has the first, vLLM the second. */
function modelOf(value: unknown): ListedModel[] {
  const { id, context_length, max_model_len, max_context_length, meta } = fields(value);
  const name = label(id);
  if (name === undefined) return [];
  const windows = list([context_length, max_model_len, max_context_length, fields(meta).n_ctx]).map(count);
  return [{ id: name, contextWindow: windows.find((tokens) => tokens !== undefined && tokens > 0) }];
}
