import type { FakeReply, ReadRequest } from './fake-model.js';

interface OpenaiMessage {
  readonly role: string;
  readonly content?: string | { type: string; text?: string; image_url?: { url: string } }[] | null;
  readonly tool_calls?: { id: string; function: { name: string } }[];
  readonly tool_call_id?: string;
}

/** Reads a request for a chat completion. */
export function readOpenai(body: object): ReadRequest {
  const { messages, tools = [] } = body as {
    messages: OpenaiMessage[];
    tools?: { function: { name: string } }[];
  };
  const texts = messages.map((message) => ({ role: message.role, text: textOf(message) }));
  const last = texts.findLastIndex(({ role }) => role === 'user');
  return {
    system: texts.find(({ role }) => role === 'system')?.text ?? '',
    messages: texts.filter(({ role }) => role !== 'system'),
    tools: tools.map((tool) => tool.function.name),
    ids: messages.flatMap(({ tool_calls = [], tool_call_id }) => [
      ...tool_calls.map(({ id }) => ({ kind: 'call' as const, id })),
      ...(tool_call_id === undefined ? [] : [{ kind: 'result' as const, id: tool_call_id }]),
    ]),
    results: texts.slice(last + 1).flatMap(({ role, text }) => (role === 'tool' ? [text] : [])),
  };
}

function textOf({ content, tool_calls = [] }: OpenaiMessage): string {
  const said = Array.isArray(content)
    ? content.map(({ text, image_url }) => text ?? `[${image_url?.url.slice(5).split(';')[0]}]`)
    : [content ?? ''];
  return [...said, ...tool_calls.map((call) => `<${call.function.name}>`)].join('');
}

/** The events of a streamed chat completion, up to its end and its end. */
export function openaiEvents(reply: FakeReply): { start: string[]; end: string[] } {
  const { think, text = [], calls = [], usage = { input: 10, output: 5 }, finish = 'stop' } = reply;
  const deltas: object[] = [
    { role: 'assistant' },
    ...(think === undefined ? [] : [{ reasoning_content: think }]),
    ...text.map((content) => ({ content })),
    ...calls.flatMap(({ name, input }, index): object[] => {
      if (reply.plainCalls) return [{ tool_calls: [{ function: { name, arguments: input } }] }];
      const json = typeof input === 'string' ? input : JSON.stringify(input);
      const half = Math.ceil(json.length / 2);
      return [
        { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] },
        { tool_calls: [{ index, function: { arguments: json.slice(0, half) } }] },
        { tool_calls: [{ index, function: { arguments: json.slice(half) } }] },
      ];
    }),
  ];
  const finish_reason = calls.length > 0 ? 'tool_calls' : finish;
  const tokens = { prompt_tokens: usage.input, completion_tokens: usage.output };
  return {
    start: deltas.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] })),
    end: [
      chunk({ choices: [{ index: 0, delta: {}, finish_reason }] }),
      chunk({ choices: [], usage: { ...tokens, total_tokens: usage.input + usage.output } }),
      'data: [DONE]\n\n',
    ],
  };
}

/** The same answer as one JSON body. */
export function openaiWhole({ think, text = [], calls = [], usage = { input: 10, output: 5 } }: FakeReply): string {
  const message = {
    role: 'assistant',
    content: text.join(''),
    ...(think !== undefined && { reasoning_content: think }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, input }) => ({ function: { name, arguments: input } })),
    }),
  };
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  const tokens = { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: 0 };
  const choices = [{ index: 0, message, finish_reason }];
  return JSON.stringify({ id: 'fake', object: 'chat.completion', created: 1, model: 'fake', choices, usage: tokens });
}

function chunk(part: object): string {
  const base = { id: 'fake', object: 'chat.completion.chunk', created: 1, model: 'fake' };
  return `data: ${JSON.stringify({ ...base, ...part })}\n\n`;
}
