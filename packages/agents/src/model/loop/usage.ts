import type { AgentTurn } from '@moorage/host/ports';
import type { AnswerUsage } from '../endpoint/answer.js';

/** Adds up what the requests of a turn used, and shows it. */
export class UsageCounter {
  readonly #turn: AgentTurn;
  readonly #model: string;
  #total: AnswerUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 };

  constructor(turn: AgentTurn, model: string) {
    this.#turn = turn;
    this.#model = model;
  }

  get total(): AnswerUsage {
    return this.#total;
  }

  /** Continues from what was counted before a restart. */
  resume(total: AnswerUsage): void {
    this.#total = total;
  }

  add(usage: AnswerUsage): void {
    this.#total = {
      inputTokens: whole(this.#total.inputTokens + usage.inputTokens),
      outputTokens: whole(this.#total.outputTokens + usage.outputTokens),
      cacheReadTokens: whole(this.#total.cacheReadTokens + usage.cacheReadTokens),
    };
    const { cacheReadTokens, ...tokens } = this.#total;
    if (tokens.inputTokens + tokens.outputTokens === 0) return; // the endpoint does not say
    const cached = cacheReadTokens > 0 ? { cacheReadTokens } : {};
    this.#turn.emit({ kind: 'usage', usage: { ...tokens, ...cached, model: this.#model } });
  }
}

/** Endpoints may report anything. */
function whole(tokens: number): number {
  return Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : 0;
}
