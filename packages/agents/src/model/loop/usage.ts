import type { AgentTurn } from '@moorage/host/ports';
import { ExtensionMeta, type Turn } from '@moorage/protocol';
import { fields } from '../../shared/untrusted.js';
import type { AnswerUsage } from '../endpoint/answer.js';
import type { Price } from '../options.js';

interface UsageOptions {
  readonly model: string;
  /** Tokens of the context window, if known. */
  readonly size: number | undefined;
  readonly price: Price | undefined;
  /** What the chat has cost so far. */
  readonly account: { cost: number };
}

/** Adds up what the requests of a turn used, and shows it with how full the context window is and what the chat has cost. */
export class UsageCounter {
  readonly #turn: AgentTurn;
  readonly #options: UsageOptions;
  readonly #costBefore: number;
  #total: AnswerUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 };
  #used = 0;

  constructor(turn: AgentTurn, options: UsageOptions) {
    this.#turn = turn;
    this.#options = options;
    this.#costBefore = options.account.cost;
  }

  get total(): AnswerUsage {
    return this.#total;
  }

  /** Continues from what was counted before a restart. */
  resume(total: AnswerUsage): void {
    this.#total = total;
  }

  /** `fillsContext`: whether the request was the conversation itself, and not a summary of it. */
  add(usage: AnswerUsage, { fillsContext }: { fillsContext: boolean }): void {
    this.#total = {
      inputTokens: whole(this.#total.inputTokens + usage.inputTokens),
      outputTokens: whole(this.#total.outputTokens + usage.outputTokens),
      cacheReadTokens: whole(this.#total.cacheReadTokens + usage.cacheReadTokens),
    };
    if (fillsContext) this.#used = whole(usage.inputTokens + usage.outputTokens);
    const { cacheReadTokens, ...tokens } = this.#total;
    if (tokens.inputTokens + tokens.outputTokens === 0) return; // the endpoint does not say
    const cached = cacheReadTokens > 0 ? { cacheReadTokens } : {};
    const gauge = this.#gauge();
    const meta = Object.keys(gauge).length > 0 ? { _meta: { [ExtensionMeta.context]: gauge } } : {};
    this.#turn.emit({ kind: 'usage', usage: { ...tokens, ...cached, model: this.#options.model, ...meta } });
  }

  #gauge(): object {
    const { size, price, account } = this.#options;
    if (price) account.cost = this.#costBefore + costOf(this.#total, price);
    return {
      ...(size !== undefined && this.#used > 0 && { used: this.#used, size }),
      ...(price && { cost: { amount: account.cost, currency: price.currency ?? 'USD' } }),
    };
  }
}

/** What the turns of a chat have cost, as its last usage says. */
export function costSoFar(turns: readonly Turn[]): number {
  const costs = turns.map(({ usage }) => fields(fields(usage?._meta?.[ExtensionMeta.context]).cost).amount);
  const last = costs.findLast((amount) => typeof amount === 'number' && Number.isFinite(amount) && amount >= 0);
  return typeof last === 'number' ? last : 0;
}

function costOf(usage: AnswerUsage, { input, output, cachedInput = input }: Price): number {
  const cached = Math.min(usage.cacheReadTokens, usage.inputTokens);
  return ((usage.inputTokens - cached) * input + cached * cachedInput + usage.outputTokens * output) / 1_000_000;
}

/** Endpoints may report anything. */
function whole(tokens: number): number {
  return Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : 0;
}
