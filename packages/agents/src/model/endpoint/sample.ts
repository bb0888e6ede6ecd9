import { AgentError, type McpSample, type McpSampling } from '@moorage/host/ports';
import { SYSTEM_TIMERS } from '../../shared/system-timers.js';
import type { ModelAgentOptions } from '../options.js';
import { type AnswerListener, askModel } from './ask-model.js';
import { ModelFailure } from './failure.js';
import { loadProtocol } from './protocol.js';

/** One answer for an MCP server that may use the model, without tools and without any conversation. */
export async function sample(
  options: ModelAgentOptions,
  model: string,
  { system = '', messages, maxTokens }: McpSampling,
  signal: AbortSignal,
): Promise<McpSample> {
  let text = '';
  const listener: AnswerListener = {
    text: (more) => {
      text += more;
    },
    reasoning: () => {},
    callStart: () => {},
    callInput: () => {},
  };
  try {
    const protocol = await loadProtocol(options.api);
    const { finishReason } = await askModel(
      {
        endpoint: options,
        protocol,
        model,
        system,
        messages: messages.map(({ role, text: content }) => ({ role, content })),
        tools: [],
        maxOutputTokens: maxTokens,
        signal,
        clock: options.clock ?? SYSTEM_TIMERS,
      },
      listener,
    );
    return { text, model, stopReason: finishReason === 'length' ? 'maxTokens' : 'endTurn' };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    throw new AgentError(error.errorType, error.message, { cause: error });
  }
}
