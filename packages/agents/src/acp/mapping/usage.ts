import type { AgentEvent } from '@ahpd/host/ports';
import { count, type Fields, fields, label, list } from '../../shared/untrusted.js';

/** How full the context window is and what the session has cost, as last reported. */
export interface Gauge {
  readonly used?: number;
  readonly size?: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
}

export interface Tokens {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
}

export function readGauge(update: Fields): Gauge {
  const { amount, currency } = fields(update.cost);
  const used = count(update.used);
  const size = count(update.size);
  return {
    ...(used !== undefined && { used }),
    ...(size !== undefined && { size }),
    ...(typeof amount === 'number' &&
      Number.isFinite(amount) && { cost: { amount, currency: label(currency, 8) ?? '' } }),
  };
}

/** Some agents report the tokens of each model request with an empty message. */
export function addTokens(before: Tokens, meta: unknown): Tokens {
  const more = readTokens(fields(meta).usage);
  const keys = ['inputTokens', 'outputTokens', 'cacheReadTokens'] as const;
  const sums = keys.flatMap((key) => {
    const value = more[key];
    return value === undefined ? [] : [[key, (before[key] ?? 0) + value] as const];
  });
  return { ...before, ...Object.fromEntries(sums) };
}

/** The tokens of a turn: from the answer to its prompt or, if that has none, from what was reported on the way. */
export function usageOf(result: unknown, gauge: Gauge | undefined, told: Tokens = {}): AgentEvent[] {
  const { usage, _meta } = fields(result);
  const { token_count, model_usage } = fields(fields(_meta).quota);
  const tokens = [readTokens(usage), readTokens(token_count), told].find((one) => Object.keys(one).length > 0);
  const models = list(model_usage);
  const model = models.length === 1 ? label(fields(models[0]).model) : undefined;
  const known = {
    ...tokens,
    ...(model && { model }),
    ...(gauge && Object.keys(gauge).length > 0 && { _meta: { context: gauge } }),
  };
  return Object.keys(known).length > 0 ? [{ kind: 'usage', usage: known }] : [];
}

/** Whether an answer reports no tokens. From an agent that counts them, this means that its model did nothing. */
export function hasNoUsage(result: unknown): boolean {
  const { usage, _meta } = fields(result);
  return [usage, fields(fields(_meta).quota).token_count].every((one) => Object.keys(readTokens(one)).length === 0);
}

/** Agents have different names for the same counts. */
function readTokens(value: unknown): Tokens {
  const usage = fields(value);
  const first = (...names: string[]) => names.map((name) => count(usage[name])).find((one) => one !== undefined);
  const inputTokens = first('inputTokens', 'input_tokens', 'promptTokens');
  const outputTokens = first('outputTokens', 'output_tokens', 'completionTokens');
  const cacheReadTokens = first('cachedReadTokens', 'cachedInputTokens', 'cachedTokens');
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  };
}
