import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type CreateMessageRequest,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ErrorCode,
  ListRootsRequestSchema,
  McpError as SdkError,
} from '@modelcontextprotocol/sdk/types.js';
import type { McpHandlers, McpSampling } from '../../ports/mcp.js';
import { MAX_OPEN_QUESTIONS } from './limits.js';

/** What the host lets a server ask for: forms always, the model only where allowed, opening a URL never. */
export function capabilitiesFor({ sample }: McpHandlers) {
  return { roots: {}, elicitation: { form: {} }, ...(sample && { sampling: {} }) };
}

/** Answers a server's requests to the host. */
export function answerQuestions(client: Client, handlers: McpHandlers, folder: string | undefined): void {
  let open = 0;
  const limited = async <T>(answer: () => Promise<T>): Promise<T> => {
    if (open >= MAX_OPEN_QUESTIONS) throw new SdkError(ErrorCode.InvalidRequest, 'too many questions are open');
    open++;
    try {
      return await answer();
    } finally {
      open--;
    }
  };
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: folder === undefined ? [] : [{ uri: pathToFileURL(folder).href }],
  }));
  client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => {
    // The SDK has refused everything but forms, the only capability announced.
    const schema = 'requestedSchema' in params ? params.requestedSchema : {};
    return limited(async () => ({ ...(await handlers.elicit({ message: params.message, schema }, signal)) }));
  });
  const { sample } = handlers;
  if (!sample) return;
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }, { signal }) =>
    limited(async () => {
      const { text, model, stopReason } = await sample(samplingOf(params), signal);
      return { role: 'assistant' as const, content: { type: 'text' as const, text }, model, stopReason };
    }),
  );
}

function samplingOf(params: CreateMessageRequest['params']): McpSampling {
  const { systemPrompt, messages, maxTokens } = params;
  return {
    ...(systemPrompt !== undefined && { system: systemPrompt }),
    messages: messages.map(({ role, content }) => ({ role, text: [content].flat().map(contentText).join('\n') })),
    maxTokens,
  };
}

function contentText(content: { type: string; text?: unknown }): string {
  if (content.type === 'text' && typeof content.text === 'string') return content.text;
  throw new SdkError(ErrorCode.InvalidParams, `this host can pass on text only, not ${content.type}`);
}
