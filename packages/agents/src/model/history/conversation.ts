import type { ModelMessage } from 'ai';

/** One turn, as the model gets it: the user's message, and what followed. */
export interface Exchange {
  readonly turnId: string;
  /** What ids of its calls start with: endpoints refuse a conversation in which an id comes twice. */
  readonly prefix: string;
  readonly messages: ModelMessage[];
}

/** Stands for the turns up to one, which the model does not get any more. */
export interface Summary {
  readonly text: string;
  readonly through: string;
}

/** What the model knows of a chat. Old turns may be folded into a summary; the chat itself keeps them. */
export class Conversation {
  #summary: Summary | undefined;
  #exchanges: Exchange[];
  #begun = 0;

  constructor(exchanges: readonly Exchange[] = [], summary?: Summary) {
    const end = summary === undefined ? -1 : exchanges.findIndex(({ turnId }) => turnId === summary.through);
    // A summary of turns that are gone, as after a rewind, would tell of what never happened.
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

  /** A turn that goes on after a restart keeps its prefix. */
  begin(turnId: string, prefix = this.#newPrefix()): Exchange {
    const exchange: Exchange = { turnId, prefix, messages: [] };
    this.#exchanges.push(exchange);
    return exchange;
  }

  #newPrefix(): string {
    const prefix = `t${this.#begun++}`;
    return this.#exchanges.some((exchange) => exchange.prefix === prefix) ? this.#newPrefix() : prefix;
  }

  /** Puts a summary in the place of the oldest exchanges. */
  fold(count: number, text: string): void {
    const last = this.#exchanges[count - 1];
    if (!last) return;
    this.#summary = { text, through: last.turnId };
    this.#exchanges = this.#exchanges.slice(count);
  }

  /** All that the model gets now. */
  get messages(): ModelMessage[] {
    return [...this.summaryMessages, ...this.#exchanges.flatMap(({ messages }) => messages)];
  }

  get summaryMessages(): ModelMessage[] {
    if (!this.#summary) return [];
    const content = `Summary of the conversation up to here, in place of its older turns:\n\n${this.#summary.text}`;
    return [{ role: 'user', content }];
  }
}
