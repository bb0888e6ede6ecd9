import type { AgentEvent } from '@ahpd/host/ports';
import { count, type Fields, fields, label } from '../untrusted.js';

/** How full the context is and what the session has cost, as the agent last said. */
export interface Gauge {
  readonly used?: number;
  readonly size?: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
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

/** The tokens of a turn from the answer to its prompt, with the gauge beside them. */
export function usageOf(result: unknown, gauge: Gauge | undefined): AgentEvent[] {
  const usage = fields(fields(result).usage);
  const inputTokens = count(usage.inputTokens);
  const outputTokens = count(usage.outputTokens);
  const cacheReadTokens = count(usage.cachedReadTokens);
  const meta = gauge && Object.keys(gauge).length > 0 ? { _meta: { context: gauge } } : {};
  const known = {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...meta,
  };
  return Object.keys(known).length > 0 ? [{ kind: 'usage', usage: known }] : [];
}
