import type { ModelMessage } from 'ai';

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
}

/** What the model knows of a chat. Old turns may be replaced by a summary; the chat itself keeps them. */
export class Conversation {
  #summary: Summary | undefined;
  #exchanges: Exchange[];
  #begun = 0;

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

  /** Replaces the oldest exchanges by a summary. */
  fold(count: number, text: string): void {
    const last = this.#exchanges[count - 1];
    if (!last) return;
    this.#summary = { text, through: last.turnId };
    this.#exchanges = this.#exchanges.slice(count);
  }

  /** Everything that the model gets. */
  get messages(): ModelMessage[] {
    return [...this.summaryMessages, ...this.#exchanges.flatMap(({ messages }) => messages)];
  }

  get summaryMessages(): ModelMessage[] {
    if (!this.#summary) return [];
    const content = `Summary of the conversation up to here, in place of its older turns:\n\n${this.#summary.text}`;
    return [{ role: 'user', content }];
  }
}
