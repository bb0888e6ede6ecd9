import { type Dialect, inPieces, newId, plain } from './dialect.js';

interface Past {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: unknown[];
}

/** OpenAI's Chat Completions, as opencode speaks them. */
export const chatCompletions: Dialect = {
  path: /\/chat\/completions$/,
  read(body) {
    const { messages = [], tools = [] } = body as { messages?: Past[]; tools?: { function: { name: string } }[] };
    return {
      turns: messages.map(({ role, content, tool_calls = [] }) => ({
        role: role === 'user' || role === 'assistant' ? role : 'other',
        text: plain(content),
        hasCalls: tool_calls.length > 0,
      })),
      tools: tools.map((tool) => ({ name: tool.function.name, type: 'function' })),
    };
  },
  async write(answer, model, send) {
    const base = { id: newId('chatcmpl'), object: 'chat.completion.chunk', created: 0, model };
    const tell = (delta: object, finish_reason: string | null = null) =>
      send({ ...base, choices: [{ index: 0, delta, finish_reason }] });
    await inPieces(answer, (content) => tell({ role: 'assistant', content }));
    for (const [index, { id, name, input }] of answer.uses.entries()) {
      const call = { name, arguments: JSON.stringify(input) };
      await tell({ tool_calls: [{ index, id, type: 'function', function: call }] });
    }
    await tell({}, answer.uses.length > 0 ? 'tool_calls' : 'stop');
    await send({ ...base, choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } });
    await send('[DONE]');
  },
};
