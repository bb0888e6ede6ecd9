import { type ChatState, type Cost, chatCost } from '@moorage/protocol';

/** What agents have reported of some chats. */
export interface Spent {
  readonly tokens: number;
  /** Undefined if no agent reports what it costs. */
  readonly cost: Cost | undefined;
}

/** Agents report the tokens of each turn, and with each turn what their chat has cost so far. */
export function spentIn(chats: readonly Pick<ChatState, 'turns' | 'activeTurn'>[]): Spent {
  const usages = chats.map(({ turns, activeTurn }) =>
    [...turns, ...(activeTurn ? [activeTurn] : [])].flatMap(({ usage }) => usage ?? []),
  );
  const tokens = usages.flat().reduce((sum, { inputTokens, outputTokens }) => {
    return sum + count(inputTokens) + count(outputTokens);
  }, 0);
  const costs = usages.flatMap((ofChat) => ofChat.map(chatCost).findLast((cost) => cost !== undefined) ?? []);
  const [first] = costs;
  if (!first) return { tokens, cost: undefined };
  const same = costs.filter(({ currency }) => currency === first.currency);
  const amount = same.reduce((sum, cost) => sum + cost.amount, 0);
  return { tokens, cost: { amount, currency: first.currency } };
}

/** What is over the budget, in words; undefined while nothing is. */
export function overBudget(budget: number, { cost, tokens }: Spent): string | undefined {
  const used = cost?.amount ?? tokens;
  if (used < budget) return undefined;
  const unit = cost ? cost.currency : 'tokens';
  return `The budget of this session is used up: ${text(used)} of ${text(budget)} ${unit}`.trimEnd();
}

function count(tokens: number | undefined): number {
  return isAmount(tokens) ? tokens : 0;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function text(amount: number): string {
  return String(Math.round(amount * 10_000) / 10_000);
}
