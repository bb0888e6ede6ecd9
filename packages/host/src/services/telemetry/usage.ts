import { ExtensionMeta, type UsageInfo } from '@moorage/protocol';

/** Tokens used since the last report, by kind. Agents report totals of the turn. */
export function usageSince(before: UsageInfo, now: UsageInfo): (readonly [string, number])[] {
  const kinds = [
    ['input', before.inputTokens, now.inputTokens],
    ['output', before.outputTokens, now.outputTokens],
    ['cache_read', before.cacheReadTokens, now.cacheReadTokens],
  ] as const;
  return kinds.flatMap(([kind, old = 0, total = 0]) => (total > old ? [[kind, total - old] as const] : []));
}

export interface Cost {
  readonly amount: number;
  readonly currency: string;
}

/** The cost so far, if the agent reports one. */
export function costOf({ _meta }: UsageInfo): Cost | undefined {
  const context = _meta?.[ExtensionMeta.context] as { cost?: { amount?: unknown; currency?: unknown } } | undefined;
  const { amount, currency } = context?.cost ?? {};
  if (typeof amount !== 'number' || !Number.isFinite(amount)) return undefined;
  return { amount, currency: typeof currency === 'string' ? currency.slice(0, 8) : '' };
}
