import { type Cost, chatCost, type SessionUsage, type UsageInfo } from '@moorage/protocol';
import { plainLine } from '../output/plain.js';

interface Used {
  readonly usage?: UsageInfo | undefined;
}

/** What turns used: their tokens, and what their chat cost by the last of them; undefined if the agent reports nothing. */
export function usageText(turns: readonly Used[]): string | undefined {
  const usages = turns.flatMap(({ usage }) => usage ?? []);
  const cost = usages.map(chatCost).findLast((each) => each !== undefined);
  const parts = [tokensText(sumOf(usages)), cost && `${costText(cost)} in this session`];
  return parts.filter(Boolean).join(', ') || undefined;
}

/** What all chats of a session used. */
export function sessionUsageText(usage: SessionUsage): string | undefined {
  return [tokensText(usage), ...usage.costs.map(costText)].filter(Boolean).join(', ') || undefined;
}

type Tokens = Omit<SessionUsage, 'costs'>;

function sumOf(usages: readonly UsageInfo[]): Tokens {
  const sum = (of: (usage: UsageInfo) => number | undefined) =>
    usages.reduce((all, usage) => all + (of(usage) ?? 0), 0);
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
  };
}

function tokensText({ inputTokens, outputTokens, cacheReadTokens }: Tokens): string | undefined {
  if (inputTokens + outputTokens === 0) return undefined;
  const cached = cacheReadTokens > 0 ? ` (${countText(cacheReadTokens)} cached)` : '';
  return `${countText(inputTokens)} tokens in${cached}, ${countText(outputTokens)} out`;
}

function costText({ amount, currency }: Cost): string {
  return `${amount.toFixed(amount < 1 ? 3 : 2)} ${plainLine(currency)}`.trim();
}

function countText(count: number): string {
  return count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`;
}
