import { type Fields, fields, list } from '../../shared/untrusted.js';
import { MAX_ANSWER_CHARS } from '../limits.js';
import type { AnswerPart } from './answer.js';
import { completionMessages } from './completion-messages.js';
import { CompletionReader } from './completion-reader.js';
import { keyHeaders, urlAt } from './endpoint-address.js';
import { EventStream, endless } from './event-stream.js';
import { ModelFailure } from './failure.js';
import { send, textOf } from './http-request.js';
import type { ModelRequest } from './protocol.js';

/** Chat completions, without an SDK: this is what most servers speak, and a first turn waits for all that has to be loaded. */
export async function* completions(request: ModelRequest, signal: AbortSignal): AsyncGenerator<AnswerPart> {
  const { endpoint } = request;
  const headers = { 'content-type': 'application/json', accept: '*/*', ...keyHeaders(endpoint) };
  const body = JSON.stringify(bodyOf(request));
  const answer = await send({ url: urlAt(endpoint, 'chat/completions'), headers, body, signal });
  const reader = new CompletionReader();
  if (answer.headers['content-type']?.includes('application/json')) {
    yield* reader.readWhole(parsed(await wholeText(textOf(answer))));
  } else {
    const events = new EventStream();
    for await (const text of textOf(answer)) yield* reader.read(events.add(text));
    yield* reader.read(events.end());
  }
  yield* reader.end();
}

function bodyOf({ model, system, messages, tools, maxOutputTokens }: ModelRequest): object {
  return {
    model,
    max_tokens: maxOutputTokens,
    messages: completionMessages(system, messages),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => {
        return { type: 'function', function: { name, description, parameters } };
      }),
      tool_choice: 'auto',
    }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

async function wholeText(pieces: AsyncIterable<string>): Promise<string> {
  let whole = '';
  for await (const text of pieces) {
    whole += text;
    if (whole.length > MAX_ANSWER_CHARS) throw endless();
  }
  return whole;
}

function parsed(text: string): Fields {
  try {
    const answer = fields(JSON.parse(text));
    if (answer.error != null || list(answer.choices).length > 0) return answer;
  } catch {
    // said below
  }
  const message = 'The model endpoint sent JSON that is not an answer. Check that its baseURL ends as it should.';
  throw new ModelFailure('modelFailed', message);
}
