import { type Dialect, inPieces, newId, plain } from './dialect.js';

interface Past {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: unknown[];
}

interface Tool {
  readonly function: { readonly name: string; readonly parameters?: { readonly properties?: object } };
}

/** OpenAI's Chat Completions, as opencode speaks them. */
export const chatCompletions: Dialect = {
  path: /\/chat\/completions$/,
  read(body) {
    const { messages = [], tools = [] } = body as { messages?: Past[]; tools?: Tool[] };
    return {
      turns: messages.map(({ role, content, tool_calls = [] }) => ({
        role: role === 'user' || role === 'assistant' ? role : 'other',
        text: plain(content),
        hasCalls: tool_calls.length > 0,
      })),
      tools: tools.map(({ function: { name, parameters } }) => {
        const names = Object.keys(parameters?.properties ?? {});
        return { name, type: 'function', parameters: names.length > 0 ? names : undefined };
      }),
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
