import { ExtensionMeta } from '../../common/extension-meta.js';
import { isObject } from '../../common/is-object.js';
import type { UsageInfo } from '../../common/usage.js';
import type { SessionState } from './state.js';

/** Money, as an agent reports it. */
export interface Cost {
  /** In whole units of the currency. */
  readonly amount: number;
  /** Such as `USD`; empty if the agent does not say. */
  readonly currency: string;
}

/** What all turns of a session used, in all its chats, also in those that were removed. */
export interface SessionUsage {
  /** Tokens that models read. */
  readonly inputTokens: number;
  /** Tokens that models wrote. */
  readonly outputTokens: number;
  /** The part of `inputTokens` that came from a cache. */
  readonly cacheReadTokens: number;
  /** One for each currency; empty if no agent reports what it costs. */
  readonly costs: readonly Cost[];
}

/** What the host says that a session has used; undefined if it says nothing. */
export function sessionUsage({ _meta }: Pick<SessionState, '_meta'>): SessionUsage | undefined {
  const usage = _meta?.[ExtensionMeta.usage];
  if (!isObject(usage)) return undefined;
  return {
    inputTokens: amountOf(usage.inputTokens),
    outputTokens: amountOf(usage.outputTokens),
    cacheReadTokens: amountOf(usage.cacheReadTokens),
    costs: Array.isArray(usage.costs) ? usage.costs.flatMap((cost: unknown) => readCost(cost) ?? []) : [],
  };
}

/** What the chat of a turn has cost up to that turn; undefined if the agent does not report it. */
export function chatCost({ _meta }: UsageInfo): Cost | undefined {
  const context = _meta?.[ExtensionMeta.context];
  return isObject(context) ? readCost(context.cost) : undefined;
}

/** Characters of a currency; those that exist have three. */
const MAX_CURRENCY_CHARS = 8;

function readCost(cost: unknown): Cost | undefined {
  if (!isObject(cost) || !isAmount(cost.amount)) return undefined;
  const { amount, currency } = cost;
  return { amount, currency: typeof currency === 'string' ? currency.slice(0, MAX_CURRENCY_CHARS) : '' };
}

function amountOf(value: unknown): number {
  return isAmount(value) ? value : 0;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
