// A model on loopback for our host and its peers: chat completions and responses, streamed. It says what the last message asks for:
// `pieces N` N pieces of five characters, `slow N` the same with 5 ms between two, `write FILE` a call that writes the file.
import { createServer } from 'node:http';

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.url.endsWith('/models'))
    return answer(response, { object: 'list', data: [{ id: MODEL, object: 'model' }] });
  const body = JSON.parse(Buffer.concat(chunks).toString());
  const speak = request.url.endsWith('/responses') ? asResponses : asChat;
  await speak(body, response, await stepOf(body));
});
const MODEL = 'bench-model';
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

/** What to say: decided by what the request has after the last order. */
async function stepOf({ messages, input, tools }) {
  const items = messages ?? input ?? [];
  let order;
  let isDone = false;
  for (const item of Array.isArray(items) ? items : [{ role: 'user', content: items }]) {
    if (item.role === 'tool' || item.type?.endsWith('_call_output')) isDone = true;
    const found = item.role === 'user' && /\b(pieces|slow) (\d+)|\b(write) (\S+)/.exec(textOf(item.content));
    if (found) [order, isDone] = [found, false];
  }
  const [, , count, write, file] = order ?? [];
  const offered = (tools ?? []).map((tool) => ({ name: tool.name ?? tool.function?.name, type: tool.type }));
  // Titles and summaries are asked for without tools.
  if (offered.length === 0) return { pieces: ['Title'] };
  if (write && !isDone) return { call: writeCall(offered, file) };
  const pieces = Array.from({ length: Number(count ?? 3) }, (_, index) => `${String(index).padStart(4, '0')} `);
  return { pieces, pauseMs: order?.[1] === 'slow' ? 5 : 0 };
}

function textOf(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('\n');
}

/** The tool for it that the agent offers, with its input. */
function writeCall(offered, file) {
  const content = 'one\ntwo\n';
  const has = (name) => offered.some((tool) => tool.name === name);
  if (offered.some(({ name, type }) => name === 'apply_patch' && type === 'custom'))
    return { name: 'apply_patch', custom: `*** Begin Patch\n*** Add File: ${file}\n+one\n+two\n*** End Patch` };
  if (has('write')) return { name: 'write', input: { filePath: file, path: file, content } };
  const command = `printf 'one\\ntwo\\n' > ${file}`;
  if (has('exec_command')) return { name: 'exec_command', input: { cmd: command } };
  if (has('shell_command')) return { name: 'shell_command', input: { command } };
  throw new Error(`no tool writes a file: ${offered.map(({ name }) => name)}`);
}

async function asChat({ stream }, response, { pieces, pauseMs, call }) {
  const base = { id: 'answer', created: 1, model: MODEL };
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const tool = call && {
    id: `call_${++calls}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  };
  const reason = tool ? 'tool_calls' : 'stop';
  if (!stream) {
    const message = { role: 'assistant', content: (pieces ?? []).join(''), ...(tool && { tool_calls: [tool] }) };
    return answer(response, {
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: reason }],
      usage,
    });
  }
  const send = startStream(response);
  const choice = (delta, finish_reason = null) =>
    send({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
  choice({ role: 'assistant', content: '' });
  if (tool) choice({ tool_calls: [{ index: 0, ...tool }] });
  await sayAll(pieces, pauseMs, (content) => choice({ content }));
  choice({}, reason);
  send({ ...base, object: 'chat.completion.chunk', choices: [], usage });
  response.end('data: [DONE]\n\n');
}

async function asResponses(_body, response, { pieces, pauseMs, call }) {
  let sequence_number = 0;
  const id = `resp_${++calls}`;
  const send = startStream(response);
  const event = (type, more) => send({ type, sequence_number: sequence_number++, ...more }, type);
  const shell = (status, output) => ({
    ...{ id, object: 'response', created_at: 1, status, model: MODEL, output, parallel_tool_calls: true, tools: [] },
    usage: {
      input_tokens: 100,
      output_tokens: 10,
      total_tokens: 110,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  });
  event('response.created', { response: shell('in_progress', []) });
  let item;
  if (call?.custom) {
    item = {
      type: 'custom_tool_call',
      id: `ctc_${calls}`,
      call_id: `call_${calls}`,
      name: call.name,
      input: call.custom,
      status: 'completed',
    };
    event('response.output_item.added', { output_index: 0, item: { ...item, input: '', status: 'in_progress' } });
  } else if (call) {
    item = {
      type: 'function_call',
      id: `fc_${calls}`,
      call_id: `call_${calls}`,
      name: call.name,
      arguments: JSON.stringify(call.input),
      status: 'completed',
    };
    event('response.output_item.added', { output_index: 0, item: { ...item, arguments: '', status: 'in_progress' } });
    event('response.function_call_arguments.done', { output_index: 0, item_id: item.id, arguments: item.arguments });
  } else {
    item = { type: 'message', id: `msg_${calls}`, role: 'assistant', status: 'in_progress', content: [] };
    const at = { output_index: 0, content_index: 0, item_id: item.id };
    event('response.output_item.added', { output_index: 0, item });
    event('response.content_part.added', { ...at, part: { type: 'output_text', text: '', annotations: [] } });
    await sayAll(pieces, pauseMs, (delta) => event('response.output_text.delta', { ...at, delta }));
    const text = pieces.join('');
    event('response.output_text.done', { ...at, text });
    item = { ...item, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] };
  }
  event('response.output_item.done', { output_index: 0, item });
  event('response.completed', { response: shell('completed', [item]) });
  response.end();
}
let calls = 0;

/** A piece is a chunk of its own; without pauses, as fast as the other side reads. */
async function sayAll(pieces = [], pauseMs = 0, say) {
  for (const piece of pieces) {
    if (!say(piece)) await new Promise(setImmediate);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function startStream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (data, event) => response.write(`${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
}

function answer(response, body) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
