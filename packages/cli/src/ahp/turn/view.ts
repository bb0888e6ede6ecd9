import { type ResponsePart, type StringOrMarkdown, type ToolCallState, wordsOf } from '@ahpd/protocol';
import { colour, print } from '../output/out.js';
import { plain, plainLine } from '../output/plain.js';

/** A character that may be one with the next, which has not come yet: half an emoji, or of the end of a line. */
const CUT_OFF = /[\r\ud800-\udbff]$/;

/**
 * Prints a turn as it grows. It is told the whole state each time and prints what is new in it, so that it goes on rightly
 * after a lost connection, however the state came.
 */
export class TurnView {
  readonly #texts = new Map<number, number>();
  readonly #calls = new Map<string, ToolCallState['status']>();
  #notifications = new Set<number>();
  #last = -1;
  #atLineStart = true;

  show(parts: readonly ResponsePart[]): void {
    for (const [index, part] of parts.entries()) {
      if (part.kind === 'markdown') this.#text(index, part.content, (text) => text);
      else if (part.kind === 'reasoning') this.#text(index, part.content, colour.dim);
      else if (part.kind === 'toolCall') this.#call(part.toolCall);
      else if (!this.#notifications.has(index)) {
        this.#notifications.add(index);
        this.line(colour.dim(part.kind === 'contentRef' ? `[${plainLine(part.uri)}]` : sentence(part.content)));
      }
    }
  }

  /** A line of its own, wherever the text before it stopped. */
  line(text: string): void {
    this.endLine();
    print(`${text}\n`);
  }

  endLine(): void {
    if (!this.#atLineStart) print('\n');
    this.#atLineStart = true;
  }

  #text(index: number, content: string, paint: (text: string) => string): void {
    const shown = this.#texts.get(index) ?? 0;
    const end = CUT_OFF.test(content) ? content.length - 1 : content.length;
    if (end <= shown) return;
    this.#texts.set(index, end);
    if (this.#last !== index) this.endLine();
    this.#last = index;
    const text = plain(content.slice(shown, end));
    print(paint(text));
    this.#atLineStart = text.endsWith('\n');
  }

  #call(call: ToolCallState): void {
    const before = this.#calls.get(call.toolCallId);
    if (before === call.status || call.status === 'streaming') return;
    this.#calls.set(call.toolCallId, call.status);
    if (before === undefined) this.line(`${colour.cyan('*')} ${titleOf(call)}`);
    const end = endOf(call);
    if (end !== undefined) this.line(`  ${end}`);
  }
}

export function sentence(text: StringOrMarkdown): string {
  return plainLine(wordsOf(text));
}

/** What a call does, in one line. */
export function titleOf(call: ToolCallState, paint: (name: string) => string = colour.bold): string {
  const name = paint(plainLine(call.displayName || call.toolName));
  const message = call.invocationMessage === undefined ? '' : sentence(call.invocationMessage);
  return message === '' || message === plainLine(call.displayName) ? name : `${name}: ${message}`;
}

function endOf(call: ToolCallState): string | undefined {
  if (call.status === 'completed') {
    if (call.success) return `${colour.green('done')} ${sentence(call.pastTenseMessage)}`;
    return `${colour.red('failed')} ${plainLine(call.error?.message ?? sentence(call.pastTenseMessage))}`;
  }
  if (call.status !== 'cancelled') return undefined;
  const why = call.reasonMessage === undefined ? '' : ` ${sentence(call.reasonMessage)}`;
  return `${colour.yellow(call.reason === 'skipped' ? 'skipped' : 'denied')}${why}`;
}
