import type { AgentEvent } from '@moorage/host/ports';
import { ExtensionMeta } from '@moorage/protocol';
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

const KEYS = ['inputTokens', 'outputTokens', 'cacheReadTokens'] as const;

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
  return sum(before, readTokens(fields(meta).usage));
}

export function sum(before: Tokens, more: { readonly [K in keyof Tokens]: Tokens[K] | undefined }): Tokens {
  const sums = KEYS.flatMap((key) => {
    const value = more[key];
    return value === undefined ? [] : [[key, (before[key] ?? 0) + value] as const];
  });
  return { ...before, ...Object.fromEntries(sums) };
}

/** The tokens in the answer to a prompt; undefined when it has none. */
export function tokensIn(result: unknown): Tokens | undefined {
  const { usage, _meta } = fields(result);
  const found = [usage, fields(fields(_meta).quota).token_count].map(readTokens);
  return found.find((one) => Object.keys(one).length > 0);
}

/** What came since `before`, of an agent that counts over its session; undefined when nothing did. */
export function growth(now: Tokens | undefined, before: Tokens): Tokens | undefined {
  if (!now) return undefined;
  const hasRestarted = KEYS.some((key) => (now[key] ?? 0) < (before[key] ?? 0));
  const grown = KEYS.flatMap((key) => {
    const value = now[key];
    return value === undefined ? [] : [[key, value - (hasRestarted ? 0 : (before[key] ?? 0))] as const];
  });
  return grown.some(([, value]) => value > 0) ? Object.fromEntries(grown) : undefined;
}

/** What a turn used, where `tokens` are those of its answer or, if that has none, what was reported on the way. */
export function usageOf(result: unknown, gauge: Gauge | undefined, tokens: Tokens | undefined): AgentEvent[] {
  const models = list(fields(fields(fields(result)._meta).quota).model_usage);
  const model = models.length === 1 ? label(fields(models[0]).model) : undefined;
  const known = {
    ...tokens,
    ...(model && { model }),
    ...(gauge && Object.keys(gauge).length > 0 && { _meta: { [ExtensionMeta.context]: gauge } }),
  };
  return Object.keys(known).length > 0 ? [{ kind: 'usage', usage: known }] : [];
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
