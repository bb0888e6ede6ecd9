import {
  type ActionOf,
  type ChatState,
  type Cost,
  chatCost,
  ExtensionMeta,
  type SessionState,
  type SessionUsage,
  sessionUsage,
  type Turn,
} from '@moorage/protocol';

/** Currencies of one session. Agents report one; more would only let a session grow. */
const MAX_CURRENCIES = 8;

const NOTHING: SessionUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, costs: [] };

/** The session actions that add what the last turn used, which has just ended, to the total of its session. */
export function usageChanges({ turns }: ChatState, session: SessionState): ActionOf<'session'>[] {
  const ended = turns.length - 1;
  if (turns[ended]?.usage === undefined) return [];
  const before = sessionUsage(session);
  // A session from before there was a total begins with all turns of this chat.
  const from = before ? ended : 0;
  const usage = turns.slice(from).reduce((sum, turn, index) => {
    return added(sum, turn, turns.slice(0, from + index));
  }, before ?? NOTHING);
  return [{ type: 'session/metaChanged', _meta: { ...session._meta, [ExtensionMeta.usage]: usage } }];
}

function added(sum: SessionUsage, { usage }: Turn, earlier: readonly Turn[]): SessionUsage {
  if (!usage) return sum;
  const cost = chatCost(usage);
  return {
    inputTokens: sum.inputTokens + (usage.inputTokens ?? 0),
    outputTokens: sum.outputTokens + (usage.outputTokens ?? 0),
    cacheReadTokens: sum.cacheReadTokens + (usage.cacheReadTokens ?? 0),
    costs: cost ? withCost(sum.costs, since(cost, earlier)) : sum.costs,
  };
}

/** Agents report what their chat has cost so far. One that began anew reports less than before: then all of it is new. */
function since(cost: Cost, earlier: readonly Turn[]): Cost {
  const last = earlier.map(({ usage }) => usage && chatCost(usage)).findLast((each) => each !== undefined);
  const isMore = last !== undefined && last.currency === cost.currency && last.amount <= cost.amount;
  return isMore ? { ...cost, amount: cost.amount - last.amount } : cost;
}

function withCost(costs: readonly Cost[], { amount, currency }: Cost): readonly Cost[] {
  if (costs.some((cost) => cost.currency === currency))
    return costs.map((cost) => (cost.currency === currency ? { currency, amount: cost.amount + amount } : cost));
  return costs.length < MAX_CURRENCIES ? [...costs, { amount, currency }] : costs;
}
