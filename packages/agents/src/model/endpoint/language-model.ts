import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { ModelEndpoint } from '../options.js';

// The SDK would otherwise write its warnings to the console, which is the wire of a host that serves on stdio.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** A model at the configured endpoint; nothing else is ever connected to. */
export function languageModel({ api, baseURL, apiKey }: ModelEndpoint, model: string): LanguageModel {
  if (api === 'anthropic') {
    // An empty key keeps the SDK from looking for one in the environment that nobody configured.
    return createAnthropic({ baseURL, apiKey: apiKey ?? '' }).languageModel(model);
  }
  const key = apiKey === undefined ? {} : { apiKey };
  return createOpenAICompatible({ name: 'openai-compatible', baseURL, includeUsage: true, ...key }).chatModel(model);
}
