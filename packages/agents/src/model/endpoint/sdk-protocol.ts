import { type JSONSchema7, jsonSchema, type LanguageModel, streamText, type ToolSet, tool } from 'ai';
import type { ModelEndpoint } from '../options.js';
import type { ModelRequest, ModelToolSpec, Protocol } from './protocol.js';
import { failureEvent, RESPONSES_OPTIONS } from './responses-protocol.js';

// The SDK would write warnings to standard output, which belongs to the client of a host that serves on stdio.
globalThis.AI_SDK_LOG_WARNINGS = false;

type Models = (endpoint: ModelEndpoint, model: string) => LanguageModel;

/** A protocol that the `ai` SDK speaks. Loads only the part for this one. */
export async function sdkProtocol(api: 'anthropic' | 'openai-responses'): Promise<Protocol> {
  const models = await loadModels(api);
  return async function* (request, signal) {
    for await (const part of stream(models, request, signal)) {
      if (part.type === 'error') throw part.error;
      const failure = part.type === 'raw' ? failureEvent(part.rawValue) : undefined;
      if (failure) throw failure;
      yield part;
    }
  };
}

async function loadModels(api: 'anthropic' | 'openai-responses'): Promise<Models> {
  if (api === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return (endpoint, model) => createAnthropic(access(endpoint)).languageModel(model);
  }
  const { createOpenAI } = await import('@ai-sdk/openai');
  return (endpoint, model) => createOpenAI(access(endpoint)).responses(model);
}

function stream(models: Models, request: ModelRequest, abortSignal: AbortSignal) {
  const { endpoint, model, system, messages, tools, maxOutputTokens } = request;
  return streamText({
    model: models(endpoint, model),
    system,
    messages,
    tools: Object.fromEntries(tools.map((spec) => [spec.name, toolOf(spec)])),
    abortSignal,
    maxRetries: 0, // we retry ourselves, and tell the user
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(endpoint.api === 'openai-responses' && RESPONSES_OPTIONS),
    onError: () => {}, // errors also come as parts of the stream
  }).fullStream;
}

/** The SDK neither runs tools nor validates their input: our own check tells the model more clearly what is wrong. */
function toolOf({ description, parameters }: ModelToolSpec): ToolSet[string] {
  const schema = JSON.parse(JSON.stringify(parameters)) as JSONSchema7;
  return tool({ description, inputSchema: jsonSchema<unknown>(schema) });
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
