import type { LanguageModel } from 'ai';
import type { ModelEndpoint } from '../options.js';
import { readingCompletions } from './completions-protocol.js';

// The SDK would write warnings to standard output, which belongs to the client of a host that serves on stdio.
globalThis.AI_SDK_LOG_WARNINGS = false;

export type LanguageModels = (endpoint: ModelEndpoint, model: string) => LanguageModel;

/** Makes models that connect to their endpoint and nowhere else. Loads only the SDK of the protocol in use. */
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
      return (endpoint, model) => {
        const { fetch: request, ...rest } = access(endpoint);
        const settings = { ...rest, fetch: readingCompletions(request), name, includeUsage: true };
        return createOpenAICompatible(settings).chatModel(model);
      };
    }
  }
}

/** With an empty key the SDKs do not look for one in the environment, which nobody configured. */
function access({ baseURL, apiKey, token }: ModelEndpoint): { baseURL: string; apiKey: string; fetch: typeof fetch } {
  if (token !== undefined) return { baseURL, apiKey: '', fetch: bearing(token) };
  return { baseURL, apiKey: apiKey ?? '', fetch: apiKey === undefined ? anonymously : stayingThere };
}

/** Redirects are not followed: they could carry the key and the conversation anywhere. */
const stayingThere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

/** Sends a bearer token instead of the key. */
function bearing(token: string): typeof fetch {
  return (input, init) => {
    const headers = withoutKey(init);
    headers.set('authorization', `Bearer ${token}`);
    return stayingThere(input, { ...init, headers });
  };
}

/** Sends no header for the key, because some servers refuse an empty one. */
const anonymously: typeof fetch = (input, init) => stayingThere(input, { ...init, headers: withoutKey(init) });

function withoutKey(init: RequestInit | undefined): Headers {
  const headers = new Headers(init?.headers);
  for (const name of ['authorization', 'x-api-key']) headers.delete(name);
  return headers;
}
