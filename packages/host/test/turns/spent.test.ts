import { ExtensionMeta, type UsageInfo } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { overBudget, spentIn } from '../../src/services/turns/spent.js';

type Chats = Parameters<typeof spentIn>[0];

/** A chat whose turns reported these. */
function chat(...usages: UsageInfo[]): Chats[number] {
  return { turns: usages.map((usage) => ({ usage })) } as unknown as Chats[number];
}

function cost(amount: unknown, currency: unknown = 'USD'): UsageInfo {
  return { inputTokens: 10, _meta: { [ExtensionMeta.context]: { cost: { amount, currency } } } };
}

describe('what was spent', () => {
  it('is the last cost that each chat has reported, and the tokens of all turns', () => {
    expect(spentIn([chat(cost(1), cost(2.5)), chat(cost(0.5), { outputTokens: 5 })])).toEqual({
      tokens: 35,
      cost: { amount: 3, currency: 'USD' },
    });
  });

  it('has no cost if none is reported, or it is none', () => {
    for (const amount of [-1, Number.NaN, '5', null])
      expect(spentIn([chat(cost(amount), { inputTokens: 1 })])).toEqual({ tokens: 11, cost: undefined });
  });

  it('adds only what is of one currency', () => {
    expect(spentIn([chat(cost(1)), chat(cost(100, 'JPY'))]).cost).toEqual({ amount: 1, currency: 'USD' });
  });
});

describe('a budget', () => {
  it('is compared with the cost if there is one, else with the tokens', () => {
    const spent = { tokens: 1_000, cost: { amount: 4.999, currency: 'USD' } };
    expect(overBudget(5, spent)).toBeUndefined();
    expect(overBudget(4.999, spent)).toContain('4.999 of 4.999 USD');
    expect(overBudget(5, { tokens: 1_000, cost: undefined })).toContain('1000 of 5 tokens');
  });
});
