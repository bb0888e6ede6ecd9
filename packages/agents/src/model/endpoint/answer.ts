import type { AssistantContent, FinishReason, TextStreamPart, ToolSet } from 'ai';
import { MAX_CALLS_PER_STEP } from '../limits.js';
import type { AnswerListener } from './ask-model.js';
import { ModelFailure } from './failure.js';
import { type Said, ThinkTags } from './think-tags.js';

export interface Answer {
  /** What the model gets back as its own message, with the calls. */
  readonly content: Exclude<AssistantContent, string>;
  readonly text: string;
  readonly calls: readonly RequestedCall[];
  readonly finishReason: FinishReason;
  readonly usage: AnswerUsage;
}

/** A tool call as the model requested it, unchecked. */
export interface RequestedCall {
  /** Its position among the calls of the answer. Models' own ids are not used: they may be missing or repeated. */
  readonly index: number;
  readonly name: string;
  /** Parsed JSON; undefined when it was not JSON. */
  readonly input: unknown;
}

export interface AnswerUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
}

/** What comes of an answer, in the SDK's words. */
export type AnswerPart = TextStreamPart<ToolSet>;

type ContentPart = Answer['content'][number];
type Metadata = Extract<AnswerPart, { type: 'reasoning-end' }>['providerMetadata'];

/** Assembles a streamed answer, and tells the listener what is new. */
export class AnswerBuilder {
  /** UTF-16 units received so far. */
  chars = 0;
  readonly #listener: AnswerListener;
  readonly #content: ContentPart[] = [];
  readonly #open = new Map<string, { text: string; metadata: Metadata }>();
  readonly #indexes = new Map<string, number>();
  readonly #calls: RequestedCall[] = [];
  readonly #tags = new ThinkTags();
  #started = 0;
  #text = '';
  #finishReason: FinishReason = 'unknown';
  #usage: AnswerUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 };

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  add(part: AnswerPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#open.set(part.id, { text: '', metadata: part.providerMetadata });
        return;
      case 'text-delta':
        this.#hearText(part.id, this.#tags.add(part.text), part.providerMetadata);
        return;
      case 'reasoning-delta':
        this.#hear(part.id, part.text, part.providerMetadata);
        this.#listener.reasoning(part.text);
        return;
      case 'text-end':
        this.#hearText(part.id, this.#tags.end(), undefined);
        this.#close('text', part.id, part.providerMetadata);
        return;
      case 'reasoning-end':
        this.#close('reasoning', part.id, part.providerMetadata);
        return;
      case 'tool-input-start':
        this.#listener.callStart(this.#indexOf(part.id), part.toolName);
        return;
      case 'tool-input-delta':
        this.chars += part.delta.length;
        this.#listener.callInput(this.#indexOf(part.id), part.delta);
        return;
      case 'tool-call':
        this.#call(part.toolCallId, part.toolName, 'invalid' in part && part.invalid ? undefined : part.input);
        return;
      case 'finish': {
        const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0 } = part.totalUsage;
        this.#finishReason = part.finishReason;
        this.#usage = { inputTokens, outputTokens, cacheReadTokens: cachedInputTokens };
        return;
      }
      default:
        return;
    }
  }

  /** `mayBeEmpty`: after tool results a model may have nothing to add. */
  finish({ mayBeEmpty }: { mayBeEmpty: boolean }): Answer {
    const isEmpty = this.#content.length === 0 && this.#calls.length === 0;
    if (isEmpty && !(mayBeEmpty && this.#finishReason === 'stop')) {
      throw new ModelFailure('emptyAnswer', 'The model answered with nothing.', { isPassing: true });
    }
    return {
      content: this.#content,
      text: this.#text,
      calls: this.#calls,
      finishReason: this.#finishReason,
      usage: this.#usage,
    };
  }

  #hearText(id: string, pieces: readonly Said[], metadata: Metadata): void {
    for (const { kind, text } of pieces) {
      if (kind === 'reasoning') {
        this.chars += text.length; // thoughts in tags are not sent back: they are not signed
        this.#listener.reasoning(text);
        continue;
      }
      this.#hear(id, text, metadata);
      this.#text += text;
      this.#listener.text(text);
    }
  }

  #hear(id: string, text: string, metadata: Metadata): void {
    this.chars += text.length;
    const open = this.#open.get(id) ?? { text: '', metadata: undefined };
    this.#open.set(id, { text: open.text + text, metadata: metadata ?? open.metadata });
  }

  #close(type: 'text' | 'reasoning', id: string, metadata: Metadata): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    if (!open) return;
    const providerOptions = metadata ?? open.metadata;
    // Only signed reasoning is sent back, to the endpoint that signed it.
    if (type === 'reasoning' && !providerOptions) return;
    if (type === 'text' && open.text.trim() === '') return; // endpoints refuse empty text
    this.#content.push({ type, text: open.text, ...(providerOptions && { providerOptions }) });
  }

  #call(id: string, name: string, input: unknown): void {
    const index = this.#indexOf(id);
    this.#indexes.delete(id); // if the id comes again, it is another call
    this.#calls.push({ index, name, input });
  }

  /** Calls are numbered in the order in which they start. */
  #indexOf(id: string): number {
    const known = this.#indexes.get(id);
    if (known !== undefined) return known;
    if (this.#started === MAX_CALLS_PER_STEP) {
      const message = `The model asked for more than ${MAX_CALLS_PER_STEP} tool calls at once, so its answer was ended.`;
      throw new ModelFailure('tooManyCalls', message);
    }
    this.#indexes.set(id, this.#started);
    return this.#started++;
  }
}
