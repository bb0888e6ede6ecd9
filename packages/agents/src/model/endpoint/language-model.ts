import type { LanguageModel } from 'ai';
import type { ModelEndpoint } from '../options.js';

// The SDK would otherwise write its warnings to the console, which is the wire of a host that serves on stdio.
globalThis.AI_SDK_LOG_WARNINGS = false;

export type LanguageModels = (endpoint: ModelEndpoint, model: string) => LanguageModel;

/** Makes the models of an endpoint; nothing else is ever connected to. Only the protocol that is spoken is loaded. */
export async function loadLanguageModels(api: ModelEndpoint['api']): Promise<LanguageModels> {
  switch (api) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return (endpoint, model) => createAnthropic(access(endpoint)).languageModel(model);
    }
    case 'openai-responses': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return (endpoint, model) => createOpenAI(access(endpoint)).responses(model);
    }
    case 'openai': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const name = 'openai-compatible';
      return (endpoint, model) =>
        createOpenAICompatible({ ...access(endpoint), name, includeUsage: true }).chatModel(model);
    }
  }
}

/** An empty key keeps the SDKs from looking for one in the environment that nobody configured. */
function access({ baseURL, apiKey, token }: ModelEndpoint): { baseURL: string; apiKey: string; fetch: typeof fetch } {
  if (token !== undefined) return { baseURL, apiKey: '', fetch: bearing(token) };
  return { baseURL, apiKey: apiKey ?? '', fetch: apiKey === undefined ? anonymously : stayingThere };
}

/** A redirect is an answer like another: followed, it could carry the key and the conversation to anybody. */
const stayingThere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

/** A bearer token takes the place of the key that the SDK would send. */
function bearing(token: string): typeof fetch {
  return (input, init) => {
    const headers = withoutKey(init);
    headers.set('authorization', `Bearer ${token}`);
    return stayingThere(input, { ...init, headers });
  };
}

/** Without a key there is no header for one: some servers refuse an empty one. */
const anonymously: typeof fetch = (input, init) => stayingThere(input, { ...init, headers: withoutKey(init) });

function withoutKey(init: RequestInit | undefined): Headers {
  const headers = new Headers(init?.headers);
  for (const name of ['authorization', 'x-api-key']) headers.delete(name);
  return headers;
}
