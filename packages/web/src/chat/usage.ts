import {
  type ChatState,
  type Cost,
  chatCost,
  ExtensionMeta,
  type SessionState,
  sessionUsage,
  type UsageInfo,
} from '@moorage/protocol';
import { countOf } from '../ui/format.js';

/** What an agent reports besides the tokens of a turn. These are totals, so the last report counts. */
interface Gauge {
  readonly cost: Cost | undefined;
  /** The used part of the model's context, from 0 to 1. */
  readonly full: number | undefined;
}

/** The tokens of one turn. */
export function usageText({ inputTokens, outputTokens, cacheReadTokens, model }: UsageInfo): string {
  const parts = [
    inputTokens !== undefined && `${countOf(inputTokens)} in`,
    cacheReadTokens !== undefined && `${countOf(cacheReadTokens)} cached`,
    outputTokens !== undefined && `${countOf(outputTokens)} out`,
    model,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** What all chats of a session used; empty if nothing is known, or if there is only this chat to speak of. */
export function sessionTotalText(session: SessionState): string {
  const usage = session.chats.length > 1 ? sessionUsage(session) : undefined;
  if (!usage) return '';
  const tokens = usage.inputTokens + usage.outputTokens;
  return [tokens > 0 && `${countOf(tokens)} tokens`, ...usage.costs.map(costText)].filter(Boolean).join(' · ');
}

/** What all turns of a chat used (of those that are loaded, with a plus), and their cost if the agent reports it; empty if nothing is known. */
export function totalText({ turns, turnsNextCursor, activeTurn }: ChatState): string {
  const usages = [...turns, ...(activeTurn ? [activeTurn] : [])].flatMap(({ usage }) => usage ?? []);
  const sum = (of: (usage: UsageInfo) => number | undefined) =>
    usages.reduce((total, usage) => total + (of(usage) ?? 0), 0);
  const tokens = sum(({ inputTokens }) => inputTokens) + sum(({ outputTokens }) => outputTokens);
  const gauges = usages.map(gaugeOf);
  const cost = gauges.findLast((gauge) => gauge.cost)?.cost;
  const full = gauges.findLast((gauge) => gauge.full !== undefined)?.full;
  const parts = [
    tokens > 0 && `${countOf(tokens)}${turnsNextCursor === undefined ? '' : '+'} tokens`,
    cost && costText(cost),
    full !== undefined && `context ${Math.round(full * 100)}% full`,
  ];
  return parts.filter(Boolean).join(' · ');
}

function gaugeOf(usage: UsageInfo): Gauge {
  const { used, size } = fieldsOf(usage._meta?.[ExtensionMeta.context]);
  return {
    cost: chatCost(usage),
    full: isCount(used) && isCount(size) && size > 0 ? Math.min(1, used / size) : undefined,
  };
}

function costText({ amount, currency }: Cost): string {
  const digits = amount > 0 && amount < 1 ? 3 : 2;
  if (/^[A-Z]{3}$/.test(currency))
    return amount.toLocaleString('en', { style: 'currency', currency, maximumFractionDigits: digits });
  return `${amount.toFixed(digits)} ${currency}`.trim();
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
