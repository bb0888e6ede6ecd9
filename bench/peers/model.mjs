import { createServer } from 'node:http';

/**
 * A model on loopback that answers at once, as OpenAI's APIs do. A message with `deltas:N` gets N pieces of five characters;
 * what is asked without tools, such as for a title, gets a word.
 */
export async function startModel() {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => answer(request.url ?? '', Buffer.concat(chunks).toString(), response));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseURL: `http://127.0.0.1:${server.address().port}/v1`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const MODEL = 'bench-model';

function answer(path, text, response) {
  if (path.endsWith('/models')) return json(response, { object: 'list', data: [{ id: MODEL, object: 'model' }] });
  const body = JSON.parse(text || '{}');
  const pieces = body.tools?.length ? Array(deltasIn(text)).fill('word ') : ['Title'];
  const isOfResponses = path.endsWith('/responses');
  if (!isOfResponses && !path.endsWith('/chat/completions')) return json(response, { error: { message: 'unknown' } }, 404);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end((isOfResponses ? responseEvents : completionEvents)(pieces).join(''));
}

/** Of the newest message: earlier ones are in the request as well. */
function deltasIn(text) {
  return Number([...text.matchAll(/deltas:(\d+)/g)].at(-1)?.[1] ?? 5);
}

function completionEvents(pieces) {
  const base = { id: 'c', object: 'chat.completion.chunk', created: 1, model: MODEL };
  const choice = (delta, finish_reason = null) => ({ ...base, choices: [{ index: 0, delta, finish_reason }] });
  const usage = { prompt_tokens: 10, completion_tokens: pieces.length, total_tokens: 10 + pieces.length };
  return [
    choice({ role: 'assistant', content: '' }),
    ...pieces.map((content) => choice({ content })),
    choice({}, 'stop'),
    { ...base, choices: [], usage },
    '[DONE]',
  ].map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
}

function responseEvents(pieces) {
  const item = { type: 'message', id: 'm', role: 'assistant', status: 'in_progress', content: [] };
  const part = { type: 'output_text', text: pieces.join(''), annotations: [] };
  const done = { ...item, status: 'completed', content: [part] };
  const response = { id: 'r', object: 'response', created_at: 1, model: MODEL, status: 'in_progress', output: [] };
  const at = { item_id: 'm', output_index: 0, content_index: 0 };
  const usage = { input_tokens: 10, output_tokens: pieces.length, total_tokens: 10 + pieces.length };
  return [
    ['response.created', { response }],
    ['response.output_item.added', { output_index: 0, item }],
    ['response.content_part.added', { ...at, part: { ...part, text: '' } }],
    ...pieces.map((delta) => ['response.output_text.delta', { ...at, delta }]),
    ['response.output_text.done', { ...at, text: part.text }],
    ['response.output_item.done', { output_index: 0, item: done }],
    ['response.completed', { response: { ...response, status: 'completed', output: [done], usage } }],
  ].map(([type, data], sequence_number) => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...data })}\n\n`);
}

function json(response, body, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
