import { ExtensionMeta, isObject, type UsageInfo } from '@moorage/protocol';
import { plainLine } from '../output/plain.js';

interface Used {
  readonly usage?: UsageInfo | undefined;
}

/** What turns used: their tokens, and what the session cost by the last of them; undefined if the agent reports nothing. */
export function usageText(turns: readonly Used[]): string | undefined {
  const usages = turns.flatMap(({ usage }) => usage ?? []);
  const sum = (of: (usage: UsageInfo) => number | undefined) =>
    usages.reduce((all, usage) => all + (of(usage) ?? 0), 0);
  const input = sum(({ inputTokens }) => inputTokens);
  const output = sum(({ outputTokens }) => outputTokens);
  const cached = sum(({ cacheReadTokens }) => cacheReadTokens);
  const cost = usages.map(costText).findLast((text) => text !== undefined);
  const tokens = `${countText(input)} tokens in${cached > 0 ? ` (${countText(cached)} cached)` : ''}, ${countText(output)} out`;
  const parts = [...(input + output > 0 ? [tokens] : []), ...(cost === undefined ? [] : [`${cost} in this session`])];
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/** Agents report what the session has cost so far, with each turn. */
function costText({ _meta }: UsageInfo): string | undefined {
  const context = _meta?.[ExtensionMeta.context];
  const cost = isObject(context) ? context.cost : undefined;
  if (!isObject(cost) || typeof cost.amount !== 'number' || !Number.isFinite(cost.amount) || cost.amount < 0)
    return undefined;
  const currency = typeof cost.currency === 'string' ? plainLine(cost.currency) : '';
  return `${cost.amount.toFixed(cost.amount < 1 ? 3 : 2)} ${currency}`.trim();
}

function countText(count: number): string {
  return count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`;
}
