import {
  answeredQuestions,
  type InputRequestResponsePart,
  type ResponsePart,
  type ToolCallState,
} from '@moorage/protocol';
import { colour, print } from '../output/out.js';
import { plain, plainLine, sentence } from '../output/plain.js';
import { responseText } from './answers.js';
import { endOf, titleOf } from './call-text.js';
import type { CommandOutput } from './command-output.js';
import { MarkdownStream } from './markdown-stream.js';
import { requestText } from './question-text.js';

/** Half of a character or line end, whose other half has not arrived yet: a surrogate, or the \r of \r\n. */
const CUT_OFF = /[\r\ud800-\udbff]$/;

/**
 * Prints a turn as it grows. It gets the whole state each time and prints what is new in it, so it also continues correctly
 * when the connection was lost in between.
 */
export class TurnView {
  readonly #output: CommandOutput | undefined;
  readonly #texts = new Map<number, number>();
  /** What renders the text that is being written. */
  #markdown: MarkdownStream | undefined;
  readonly #calls = new Map<string, ToolCallState['status']>();
  /** The parts that are written at once, by index. */
  readonly #written = new Set<number>();
  #last = -1;
  #atLineStart = true;

  constructor(output?: CommandOutput) {
    this.#output = output;
  }

  show(parts: readonly ResponsePart[]): void {
    for (const [index, part] of parts.entries()) {
      if (part.kind === 'markdown') this.#text(index, part.content);
      else if (part.kind === 'reasoning') this.#text(index, part.content, colour.dim);
      else if (part.kind === 'toolCall') this.#call(part.toolCall);
      else if (!this.#written.has(index)) {
        const text = partText(part);
        if (text === undefined) continue;
        this.#written.add(index);
        this.#line(colour.dim(text));
      }
    }
  }

  endLine(): void {
    this.#write(this.#markdown?.flush() ?? '');
    if (!this.#atLineStart) print('\n');
    this.#atLineStart = true;
  }

  #line(text: string): void {
    this.endLine();
    print(`${text}\n`);
  }

  #text(index: number, content: string, paint?: (text: string) => string): void {
    const shown = this.#texts.get(index) ?? 0;
    const end = CUT_OFF.test(content) ? content.length - 1 : content.length;
    if (end <= shown) return;
    this.#texts.set(index, end);
    if (this.#last !== index) {
      this.endLine();
      this.#markdown = paint === undefined && colour.isColorSupported ? new MarkdownStream() : undefined;
    }
    this.#last = index;
    const text = plain(content.slice(shown, end));
    this.#write(this.#markdown?.push(text) ?? paint?.(text) ?? text);
  }

  #write(text: string): void {
    if (text === '') return;
    print(text);
    this.#atLineStart = text.endsWith('\n');
  }

  #call(call: ToolCallState): void {
    const before = this.#calls.get(call.toolCallId);
    if (call.status === 'streaming' || (before === call.status && call.status !== 'running')) return;
    this.#calls.set(call.toolCallId, call.status);
    if (before === undefined) this.#line(`${colour.cyan('*')} ${titleOf(call)}`);
    for (const line of this.#output?.take(call) ?? []) this.#line(colour.dim(`  | ${line.slice(0, MAX_LINE_LENGTH)}`));
    const end = endOf(call);
    if (end !== undefined) this.#line(`  ${end}`);
  }
}

/** Characters shown of a line that a command printed: a few rows of a terminal. */
const MAX_LINE_LENGTH = 400;

type WholePart = Exclude<ResponsePart, { kind: 'markdown' | 'reasoning' | 'toolCall' }>;

/** Undefined for what is written elsewhere: open questions, and why a turn ended. */
function partText(part: WholePart): string | undefined {
  switch (part.kind) {
    case 'contentRef':
      return `[${plainLine(part.uri)}]`;
    case 'systemNotification':
      return sentence(part.content);
    case 'inputRequest':
      return part.response === undefined ? undefined : answeredText(part);
    case 'error':
      return undefined;
  }
}

function answeredText({ request, response }: InputRequestResponsePart): string {
  const about = requestText(request);
  const rows = answeredQuestions(request).map(({ question, answer }) => {
    return `  ${plainLine(question)}${answer === undefined ? '' : `: ${plainLine(answer)}`}`;
  });
  return [`? ${about === '' ? '' : `${about} `}(${responseText(response)})`, ...rows].join('\n');
}
