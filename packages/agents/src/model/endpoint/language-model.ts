import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { ModelEndpoint } from '../options.js';

// The SDK would otherwise write its warnings to the console, which is the wire of a host that serves on stdio.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** A model at the configured endpoint; nothing else is ever connected to. */
export function languageModel({ api, baseURL, apiKey, token }: ModelEndpoint, model: string): LanguageModel {
  if (api === 'anthropic') {
    if (token !== undefined) {
      return createAnthropic({ baseURL, apiKey: '', fetch: bearing(token) }).languageModel(model);
    }
    // An empty key keeps the SDK from looking for one in the environment that nobody configured.
    return createAnthropic({ baseURL, apiKey: apiKey ?? '', fetch: stayingThere }).languageModel(model);
  }
  const bearer = token ?? apiKey;
  const key = bearer === undefined ? {} : { apiKey: bearer };
  return createOpenAICompatible({
    name: 'openai-compatible',
    baseURL,
    includeUsage: true,
    fetch: stayingThere,
    ...key,
  }).chatModel(model);
}

/** A redirect is an answer like another: followed, it could carry the key and the conversation to anybody. */
const stayingThere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

/** A bearer token takes the place of the key that the SDK would send. */
function bearing(token: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete('x-api-key');
    headers.set('authorization', `Bearer ${token}`);
    return stayingThere(input, { ...init, headers });
  };
}
