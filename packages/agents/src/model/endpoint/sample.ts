import { AgentError, type McpSample, type McpSampling } from '@ahpd/host/ports';
import { generateText } from 'ai';
import type { ModelAgentOptions } from '../options.js';
import { failureOf } from './failure.js';
import { loadLanguageModels } from './language-model.js';

/** One answer for an MCP server that may use the model: no tools, and nothing of any conversation. */
export async function sample(
  options: ModelAgentOptions,
  model: string,
  { system, messages, maxTokens, temperature, stopSequences }: McpSampling,
  signal: AbortSignal,
): Promise<McpSample> {
  try {
    const models = await loadLanguageModels(options.api);
    const answer = await generateText({
      model: models(options, model),
      messages: messages.map(({ role, text }) => ({ role, content: text })),
      maxOutputTokens: maxTokens,
      maxRetries: 0,
      abortSignal: signal,
      ...(system !== undefined && { system }),
      ...(temperature !== undefined && { temperature }),
      ...(stopSequences && { stopSequences: [...stopSequences] }),
    });
    return { text: answer.text, model, stopReason: answer.finishReason === 'length' ? 'maxTokens' : 'endTurn' };
  } catch (error) {
    const { errorType, message } = failureOf(error, options);
    throw new AgentError(errorType, message, { cause: error });
  }
}
