import { JsonRpcErrorCodes, RpcError } from '@moorage/protocol';
import type { McpSample, McpSampling } from '../../ports/mcp.js';
import { MAX_SAMPLE_CHARS, MAX_SAMPLE_TOKENS } from './limits.js';

/** Limits a request to the model; throws if it is too large. */
export function boundedSampling(request: McpSampling): McpSampling {
  const { system = '', messages } = request;
  const chars = messages.reduce((sum, { text }) => sum + text.length, system.length);
  if (messages.length === 0 || chars > MAX_SAMPLE_CHARS) throw wrong('messages of a reasonable size');
  return { ...request, maxTokens: Math.max(1, Math.min(request.maxTokens, MAX_SAMPLE_TOKENS)) };
}

/** Reads the parameters of a client's `sampling/createMessage`. Only text is supported. */
export function readSampling(params: Readonly<Record<string, unknown>>): McpSampling {
  const { messages, maxTokens, systemPrompt } = params;
  if (!Array.isArray(messages)) throw wrong('a list "messages"');
  if (typeof maxTokens !== 'number' || !Number.isFinite(maxTokens)) throw wrong('a number "maxTokens"');
  return boundedSampling({
    messages: messages.map((message: unknown) => readMessage(message)),
    maxTokens,
    ...(typeof systemPrompt === 'string' && { system: systemPrompt }),
  });
}

export function sampleResult({ text, model, stopReason }: McpSample): object {
  return { role: 'assistant', content: { type: 'text', text }, model, stopReason };
}

function readMessage(message: unknown): McpSampling['messages'][number] {
  const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
  if (role !== 'user' && role !== 'assistant') throw wrong('messages of "user" and "assistant"');
  const texts = [content].flat().map((block) => {
    const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown };
    if (type !== 'text' || typeof text !== 'string') throw wrong('messages of text only');
    return text;
  });
  return { role, text: texts.join('\n') };
}

function wrong(expected: string): RpcError {
  return new RpcError(JsonRpcErrorCodes.InvalidParams, `params: expected ${expected}`);
}
