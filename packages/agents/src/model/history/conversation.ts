import type { ModelMessage } from 'ai';
import { addFacts, factsText, type KeptFacts, NO_FACTS } from './kept-facts.js';

/** One turn as the model gets it: the user's message, and what followed. */
export interface Exchange {
  readonly turnId: string;
  /** The start of the ids of its calls: endpoints refuse a conversation with the same id twice. */
  readonly prefix: string;
  readonly messages: ModelMessage[];
}

/** Replaces all turns up to `through`, which the model does not get any more. */
export interface Summary {
  readonly text: string;
  readonly through: string;
  /** What is kept beside the text. Absent in what earlier versions saved. */
  readonly facts?: KeptFacts;
}

/** UTF-16 units of kept facts in a window of usual size. */
const USUAL_FACT_CHARS = 8_000;

/** What the model knows of a chat. Old turns may be replaced by a summary; the chat itself keeps them. */
export class Conversation {
  #summary: Summary | undefined;
  #exchanges: Exchange[];
  #begun = 0;
  #maxFactChars = USUAL_FACT_CHARS;

  constructor(exchanges: readonly Exchange[] = [], summary?: Summary) {
    const end = summary === undefined ? -1 : exchanges.findIndex(({ turnId }) => turnId === summary.through);
    // After a rewind, a summary of turns that are gone would tell of things that never happened.
    this.#summary = end < 0 ? undefined : summary;
    this.#exchanges = exchanges.slice(end + 1);
  }

  get summary(): Summary | undefined {
    return this.#summary;
  }

  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  get isNew(): boolean {
    return this.#exchanges.length === 0 && this.#summary === undefined;
  }

  /** Starts a turn. One that continues after a restart keeps its prefix. */
  begin(turnId: string, prefix = this.#newPrefix()): Exchange {
    const exchange: Exchange = { turnId, prefix, messages: [] };
    this.#exchanges.push(exchange);
    return exchange;
  }

  #newPrefix(): string {
    const prefix = `t${this.#begun++}`;
    return this.#exchanges.some((exchange) => exchange.prefix === prefix) ? this.#newPrefix() : prefix;
  }

  /** Replaces the oldest exchanges by a summary, and by what must survive it in at most so many UTF-16 units. */
  fold(count: number, text: string, maxFactChars: number): void {
    const last = this.#exchanges[count - 1];
    if (!last) return;
    const messages = this.#exchanges.slice(0, count).flatMap((exchange) => exchange.messages);
    const facts = addFacts(this.#summary?.facts ?? NO_FACTS, messages);
    this.#summary = { text, through: last.turnId, facts };
    this.#maxFactChars = maxFactChars;
    this.#exchanges = this.#exchanges.slice(count);
  }

  /** Everything that the model gets. */
  get messages(): ModelMessage[] {
    return [...this.summaryMessages, ...this.#exchanges.flatMap(({ messages }) => messages)];
  }

  get summaryMessages(): ModelMessage[] {
    if (!this.#summary) return [];
    const { text, facts = NO_FACTS } = this.#summary;
    const kept = factsText(facts, this.#maxFactChars);
    const summary = kept === '' ? text : `${text}\n\n${kept}`;
    const content = `Summary of the conversation up to here, in place of its older turns:\n\n${summary}`;
    return [{ role: 'user', content }];
  }
}
