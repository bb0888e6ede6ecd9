import type { FakeReply, ReadRequest } from './fake-model.js';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly signature?: string;
  readonly source?: { media_type: string };
  readonly content?: string | Block[];
}

/** Reads a request for a message. */
export function readAnthropic(body: object): ReadRequest {
  const {
    messages,
    system,
    tools = [],
  } = body as {
    messages: { role: string; content: string | Block[] }[];
    system?: string | Block[];
    tools?: { name: string }[];
  };
  const isResult = (content: string | Block[]) =>
    Array.isArray(content) && content.some(({ type }) => type === 'tool_result');
  const last = messages.findLastIndex(({ role, content }) => role === 'user' && !isResult(content));
  const results = messages.slice(last + 1).flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return {
    system: textOf(system ?? ''),
    messages: messages.map(({ role, content }) => ({
      role: isResult(content) ? 'tool' : role,
      text: textOf(content),
    })),
    tools: tools.map(({ name }) => name),
    ids: messages.flatMap(({ content }) => (Array.isArray(content) ? content.flatMap(idsOf) : [])),
    results: results.flatMap((block) => (block.type === 'tool_result' ? [textOf(block.content ?? '')] : [])),
  };
}

function idsOf({ type, id, tool_use_id }: Block): ReadRequest['ids'] {
  if (type === 'tool_use') return [{ kind: 'call', id: id ?? '' }];
  return type === 'tool_result' ? [{ kind: 'result', id: tool_use_id ?? '' }] : [];
}

function textOf(content: string | Block[]): string {
  if (typeof content === 'string') return content;
  return content
    .map(({ type, text, name, source, signature, content: inner }) => {
      if (type === 'thinking') return `(${signature})`;
      if (type === 'tool_use') return `<${name}>`;
      if (type === 'image') return `[${source?.media_type}]`;
      return text ?? textOf(inner ?? '');
    })
    .join('');
}

/** The events of a streamed message, up to its end and its end. */
export function anthropicEvents(reply: FakeReply): { start: string[]; end: string[] } {
  const { think, text = [], calls = [], usage = { input: 10, output: 5 }, finish = 'stop' } = reply;
  const blocks: { content_block: object; deltas: object[] }[] = [];
  if (think !== undefined) {
    const deltas = [
      { type: 'thinking_delta', thinking: think },
      { type: 'signature_delta', signature: 'signed' },
    ];
    blocks.push({ content_block: { type: 'thinking', thinking: '', signature: '' }, deltas });
  }
  if (text.length > 0) {
    const deltas = text.map((piece) => ({ type: 'text_delta', text: piece }));
    blocks.push({ content_block: { type: 'text', text: '' }, deltas });
  }
  for (const [index, { name, input }] of calls.entries()) {
    const partial_json = typeof input === 'string' ? input : JSON.stringify(input);
    const content_block = { type: 'tool_use', id: `toolu_${index}`, name, input: {} };
    blocks.push({ content_block, deltas: [{ type: 'input_json_delta', partial_json }] });
  }
  const message = {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model: 'fake',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: 0 },
  };
  const stop_reason = calls.length > 0 ? 'tool_use' : finish === 'length' ? 'max_tokens' : 'end_turn';
  return {
    start: [
      event('message_start', { message }),
      ...blocks.flatMap(({ content_block, deltas }, index) => [
        event('content_block_start', { index, content_block }),
        ...deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
    ],
    end: [
      event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage.output } }),
      event('message_stop', {}),
    ],
  };
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
