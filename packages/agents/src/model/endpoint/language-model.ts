import type { LanguageModel } from 'ai';
import type { ModelEndpoint } from '../options.js';

// The SDK would otherwise write its warnings to the console, which is the wire of a host that serves on stdio.
globalThis.AI_SDK_LOG_WARNINGS = false;

export type LanguageModels = (model: string) => LanguageModel;

/** The models at the configured endpoint; nothing else is ever connected to. Only the protocol it speaks is loaded. */
export async function languageModels({ api, baseURL, apiKey }: ModelEndpoint): Promise<LanguageModels> {
  // An empty key keeps the SDKs from looking for one in the environment that nobody configured.
  const endpoint = { baseURL, apiKey: apiKey ?? '', fetch: apiKey === undefined ? anonymously : stayingThere };
  switch (api) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic(endpoint).languageModel;
    }
    case 'openai-responses': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI(endpoint).responses;
    }
    case 'openai': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({ ...endpoint, name: 'openai-compatible', includeUsage: true }).chatModel;
    }
  }
}

/** A redirect is an answer like another: followed, it could carry the key and the conversation to anybody. */
const stayingThere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

/** Without a key there is no header for one: some servers refuse an empty one. */
const anonymously: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  for (const name of ['authorization', 'x-api-key']) headers.delete(name);
  return stayingThere(input, { ...init, headers });
};
