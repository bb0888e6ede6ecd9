import type { FakeReply, ReadRequest } from './fake-model.js';

/** What the endpoint gives instead of its reasoning, and must get back as it is. */
const SEALED = 'sealed-reasoning';

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | { type: string; text?: string; image_url?: string }[];
  readonly name?: string;
  readonly call_id?: string;
  readonly output?: unknown;
  readonly encrypted_content?: string;
}

interface Body {
  readonly input: readonly Item[];
  readonly tools?: readonly { type: string; name: string; strict?: boolean; parameters?: { type?: string } }[];
  readonly stream?: boolean;
  readonly store?: boolean;
}

/** Reads a request for a response. */
export function readResponses(body: object): ReadRequest {
  const { input, tools = [] } = body as Body;
  const texts = input.map((item) => ({ role: roleOf(item), text: textOf(item) }));
  const messages = joined(texts.filter(({ role }) => role !== 'system'));
  const last = texts.findLastIndex(({ role }) => role === 'user');
  return {
    system: texts.find(({ role }) => role === 'system')?.text ?? '',
    messages,
    tools: tools.map(({ name }) => name),
    ids: input.flatMap(({ type, call_id = '' }): ReadRequest['ids'] => {
      if (type === 'function_call') return [{ kind: 'call', id: call_id }];
      return type === 'function_call_output' ? [{ kind: 'result', id: call_id }] : [];
    }),
    results: texts.slice(last + 1).flatMap(({ role, text }) => (role === 'tool' ? [text] : [])),
    problem: problemOf(body as Body),
  };
}

/** What the real endpoint refuses such a request for, or does that nobody asked for. */
function problemOf({ input, tools = [], stream, store }: Body): string | undefined {
  if (stream !== true) return 'only streams are served here';
  if (store !== false) return 'this endpoint must be told not to keep anything';
  if (input.some(({ type }) => type === 'item_reference')) return 'nothing is kept here that could be referred to';
  const isLoose = tools.every(({ type, strict, parameters }) => type === 'function' && !strict && parameters?.type);
  if (!isLoose) return 'optional parameters need functions that are not strict';
  for (const [index, item] of input.entries()) {
    if (item.type !== 'reasoning') continue;
    if (item.encrypted_content !== SEALED) return 'reasoning must come back sealed as it was given';
    const next = input[index + 1];
    if (next?.role !== 'assistant' && next?.type !== 'function_call') return 'reasoning without what followed it';
  }
  return undefined;
}

function roleOf({ type, role = '' }: Item): string {
  if (type === 'function_call_output') return 'tool';
  if (type === 'function_call' || type === 'reasoning') return 'assistant';
  return role === 'developer' ? 'system' : role;
}

function textOf({ type, content, name, output }: Item): string {
  if (type === 'function_call') return `<${name}>`;
  if (type === 'function_call_output') return typeof output === 'string' ? output : JSON.stringify(output);
  if (type === 'reasoning') return `(${SEALED})`;
  if (!Array.isArray(content)) return content ?? '';
  return content.map(({ text, image_url }) => text ?? `[${image_url?.slice(5).split(';')[0]}]`).join('');
}

/** What the model said in one answer comes as several items. */
function joined(items: readonly { role: string; text: string }[]): { role: string; text: string }[] {
  const messages: { role: string; text: string }[] = [];
  for (const { role, text } of items) {
    const last = messages.at(-1);
    if (role === 'assistant' && last?.role === 'assistant') last.text += text;
    else messages.push({ role, text });
  }
  return messages;
}

let responses = 0;

/** The events of a streamed response, up to its end and its end. */
export function responsesEvents(reply: FakeReply): { start: string[]; end: string[] } {
  const { think, text = [], calls = [], usage = { input: 10, output: 5 }, finish = 'stop', fail } = reply;
  const id = `resp_${++responses}`;
  const items: { item: object; done: object; deltas: [string, object][] }[] = [];
  if (think !== undefined) {
    const item = { type: 'reasoning', id: `rs_${id}`, summary: [] };
    const at = { item_id: `rs_${id}`, summary_index: 0 };
    items.push({
      item,
      done: { ...item, summary: [{ type: 'summary_text', text: think }], encrypted_content: SEALED },
      deltas: [
        ['response.reasoning_summary_part.added', at],
        ['response.reasoning_summary_text.delta', { ...at, delta: think }],
        ['response.reasoning_summary_part.done', at],
      ],
    });
  }
  if (text.length > 0) {
    const item = { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'in_progress', content: [] };
    const at = { item_id: `msg_${id}`, content_index: 0 };
    const content = [{ type: 'output_text', text: text.join(''), annotations: [] }];
    const deltas = text.map((delta): [string, object] => ['response.output_text.delta', { ...at, delta }]);
    items.push({ item, done: { ...item, status: 'completed', content }, deltas });
  }
  for (const [index, { name, input }] of calls.entries()) {
    const json = typeof input === 'string' ? input : JSON.stringify(input);
    const half = Math.ceil(json.length / 2);
    const item = { type: 'function_call', id: `fc_${id}_${index}`, call_id: `call_${index}`, name, arguments: '' };
    const pieces = [json.slice(0, half), json.slice(half)];
    const deltas = pieces.map((delta): [string, object] => [
      'response.function_call_arguments.delta',
      { item_id: item.id, delta },
    ]);
    items.push({ item, done: { ...item, arguments: json, status: 'completed' }, deltas });
  }
  const response = { id, object: 'response', created_at: 1, model: 'fake' };
  const tokens = { input_tokens: usage.input, output_tokens: usage.output };
  const total = { ...tokens, total_tokens: usage.input + usage.output };
  const incomplete = finish === 'length' ? { incomplete_details: { reason: 'max_output_tokens' } } : {};
  const last = finish === 'length' ? 'response.incomplete' : 'response.completed';
  return {
    start: [
      event('response.created', { response }),
      ...items.flatMap(({ item, done, deltas }, output_index) => [
        event('response.output_item.added', { output_index, item }),
        ...deltas.map(([type, data]) => event(type, { output_index, ...data })),
        event('response.output_item.done', { output_index, item: done }),
      ]),
    ],
    end: fail
      ? [event('response.failed', { response: { ...response, status: 'failed', error: fail } })]
      : [event(last, { response: { ...response, ...incomplete, usage: total } })],
  };
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
