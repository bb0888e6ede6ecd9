import { type Fields, fields, list } from '../../shared/untrusted.js';
import { MAX_ANSWER_CHARS } from '../limits.js';
import { ModelFailure } from './failure.js';
import { gatheredBody, type TextReader } from './gathered-body.js';
import { JoinedPieces } from './joined-pieces.js';

/**
 * Makes what servers of chat completions send readable for the SDK: an answer that comes whole although a stream was asked
 * for, and calls with arguments as an object or without a number or an id. Pieces of text that come together are joined.
 */
export function readingCompletions(request: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await request(input, init);
    if (!response.ok || !response.body) return response;
    const isWhole = response.headers.get('content-type')?.includes('application/json');
    const reader = isWhole ? wholeAnswer() : eventLines();
    const body = gatheredBody(response.body, reader);
    return new Response(body, { status: response.status, headers: { 'content-type': 'text/event-stream' } });
  };
}

function wholeAnswer(): TextReader {
  let text = '';
  return {
    add: (more) => {
      text = bounded(text + more);
      return '';
    },
    end: () => `${dataLine(eventOf(text))}\n\ndata: [DONE]\n\n`,
  };
}

/** A whole answer as the one event of a stream. */
function eventOf(text: string): Fields {
  const answer = fields(parsed(text));
  if (answer.error !== undefined) return answer;
  const [choice] = list(answer.choices).map(fields);
  if (!choice) {
    const message = 'The model endpoint sent JSON that is not an answer. Check that its baseURL ends as it should.';
    throw new ModelFailure('modelFailed', message);
  }
  const { message, ...rest } = choice;
  return { ...answer, choices: [{ ...rest, delta: new Calls().complete(fields(message)) }] };
}

/** Passes the lines of a stream on, those with calls made complete. */
function eventLines(): TextReader {
  const calls = new Calls();
  const joined = new JoinedPieces();
  let rest = '';
  const complete = (line: string) => (line.includes('"tool_calls"') ? completeLine(line, calls) : line);
  return {
    add: (more) => {
      const lines = bounded(rest + more).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) joined.add(complete(line));
      return joined.take();
    },
    end: () => complete(rest),
  };
}

function completeLine(line: string, calls: Calls): string {
  const event = line.startsWith('data:') ? fields(parsed(line.slice('data:'.length))) : {};
  if (event.choices === undefined) return line;
  const choices = list(event.choices).map(fields);
  return dataLine({
    ...event,
    choices: choices.map(({ delta, ...rest }) => ({ ...rest, delta: calls.complete(fields(delta)) })),
  });
}

/** The calls of one answer. */
class Calls {
  #last = -1;

  complete(delta: Fields): Fields {
    const calls = list(delta.tool_calls).map(fields);
    return calls.length === 0 ? delta : { ...delta, tool_calls: calls.map((call) => this.#complete(call)) };
  }

  #complete(call: Fields): Fields {
    const { name, arguments: input, ...rest } = fields(call.function);
    const isNew = typeof name === 'string' && name !== '';
    const index = typeof call.index === 'number' ? call.index : isNew ? this.#last + 1 : Math.max(0, this.#last);
    this.#last = Math.max(this.#last, index);
    const id = typeof call.id === 'string' && call.id !== '' ? call.id : isNew ? `call_${index}` : undefined;
    const text = typeof input === 'object' && input !== null ? JSON.stringify(input) : input;
    const named = { ...rest, ...(isNew && { name }), ...(text !== undefined && { arguments: text }) };
    return { ...call, index, type: 'function', ...(id !== undefined && { id }), function: named };
  }
}

function dataLine(event: Fields): string {
  return `data: ${JSON.stringify(event)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bounded(text: string): string {
  if (text.length <= MAX_ANSWER_CHARS) return text;
  throw new ModelFailure('answerTooLong', 'The model endpoint would not stop talking, so its answer was ended.');
}
