import { type Answer, type Dialect, inPieces, newId, type PastTurn, plain } from './dialect.js';

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
}

interface Tool {
  readonly name?: string;
  readonly type: string;
  /** Of a group of tools, its members. */
  readonly tools?: readonly Tool[];
}

/** OpenAI's Responses, as Codex speaks them. */
export const responses: Dialect = {
  path: /\/responses$/,
  read(body) {
    const { input = [], tools = [] } = body as { input?: Item[]; tools?: Tool[] };
    return {
      turns: input.map(pastTurn),
      tools: tools.flatMap(({ name, type, tools: members }) =>
        members
          ? members.map((tool) => ({ name: tool.name ?? tool.type, type: tool.type, namespace: name }))
          : [{ name: name ?? type, type }],
      ),
    };
  },
  async write(answer, model, send) {
    const response = { id: newId('resp'), object: 'response', model, output: [] as unknown[] };
    const tell = (type: string, more: object) => send({ type, ...more }, type);
    await tell('response.created', { response: { ...response, status: 'in_progress' } });
    for (const [output_index, item] of itemsOf(answer).entries()) {
      await tell('response.output_item.added', { output_index, item: { ...item, ...item.empty, empty: undefined } });
      if (item.type === 'message') {
        const at = { output_index, item_id: item.id, content_index: 0 };
        await inPieces(answer, (delta) => tell('response.output_text.delta', { ...at, delta }));
      }
      const whole = { ...item, empty: undefined };
      response.output.push(whole);
      await tell('response.output_item.done', { output_index, item: whole });
    }
    const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
    await tell('response.completed', { response: { ...response, status: 'completed', usage } });
  },
};

function pastTurn({ type, role, content }: Item): PastTurn {
  const hasCalls = type?.endsWith('_call') ?? false;
  const isAssistant = role === 'assistant' || hasCalls;
  return { role: role === 'user' ? 'user' : isAssistant ? 'assistant' : 'other', text: plain(content), hasCalls };
}

function itemsOf({ text = '', uses }: Answer) {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const message = { type: 'message', id: newId('msg'), role: 'assistant', content, empty: { content: [] } };
  const calls = uses.map(({ id, name, namespace, isCustom, input }) =>
    isCustom
      ? { type: 'custom_tool_call', id: `c${id}`, call_id: id, name, input: String(input), empty: { input: '' } }
      : {
          type: 'function_call',
          id: `f${id}`,
          call_id: id,
          name,
          namespace,
          arguments: JSON.stringify(input),
          empty: { arguments: '' },
        },
  );
  return [message, ...calls];
}
