import type { FinishReason } from 'ai';
import { count, type Fields, fields, list, text } from '../../shared/untrusted.js';
import type { AnswerPart } from './answer.js';
import { StreamedCalls } from './streamed-calls.js';

/** An answer has one text, and one line of thought. */
const ID = '0';

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
};

/** Turns the events of a chat completion into parts of an answer. */
export class CompletionReader {
  readonly #calls = new StreamedCalls();
  #finishReason: FinishReason = 'unknown';
  #usage: Fields = {};

  /** What some events that came together say: pieces of one text are one. */
  read(events: readonly unknown[]): AnswerPart[] {
    const parts: AnswerPart[] = [];
    for (const event of events) for (const part of this.#read(fields(event))) append(parts, part);
    return parts;
  }

  /** An answer that came whole although a stream was asked for. */
  readWhole(answer: unknown): AnswerPart[] {
    const { choices, ...rest } = fields(answer);
    const whole = list(choices).map((choice) => ({ ...fields(choice), delta: fields(choice).message }));
    return this.read([{ ...rest, ...(choices !== undefined && { choices: whole }) }]);
  }

  end(): AnswerPart[] {
    const { prompt_tokens, completion_tokens, prompt_tokens_details } = this.#usage;
    const totalUsage = {
      inputTokens: count(prompt_tokens),
      outputTokens: count(completion_tokens),
      totalTokens: undefined,
      cachedInputTokens: count(fields(prompt_tokens_details).cached_tokens),
    };
    return [
      { type: 'text-end', id: ID },
      ...this.#calls.end(),
      { type: 'finish', finishReason: this.#finishReason, totalUsage },
    ];
  }

  #read(event: Fields): AnswerPart[] {
    const { error, choices, usage } = event;
    if (error != null || (!Array.isArray(choices) && usage == null)) throw event;
    const choice = fields(list(choices)[0]);
    const used = fields(usage ?? choice.usage);
    if (Object.keys(used).length > 0) this.#usage = used;
    const reason = text(choice.finish_reason);
    if (reason !== undefined) this.#finishReason = FINISH_REASONS[reason] ?? 'unknown';
    const { content, reasoning_content, reasoning, tool_calls } = fields(choice.delta);
    const thought = text(reasoning_content ?? reasoning);
    const said = text(content);
    return [
      ...(thought ? [{ type: 'reasoning-delta', id: ID, text: thought } as const] : []),
      ...(said ? [{ type: 'text-delta', id: ID, text: said } as const] : []),
      ...this.#calls.add(tool_calls),
    ];
  }
}

/** Each part takes its own way through the host, and a quick server sends hundreds at once. */
function append(parts: AnswerPart[], part: AnswerPart): void {
  const last = parts.at(-1);
  if (last && 'text' in last && 'text' in part && last.type === part.type) {
    parts[parts.length - 1] = { ...last, text: last.text + part.text };
  } else parts.push(part);
}
