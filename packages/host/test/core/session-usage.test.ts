import {
  type ChatState,
  ExtensionMeta,
  type SessionState,
  sessionUsage,
  type Turn,
  type UsageInfo,
} from '@moorage/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { usageChanges } from '../../src/core/session-usage.js';

/** Ends turns that reported these, one after the other, and says what the session has used by then. */
function usedBy(usages: readonly (UsageInfo | undefined)[], meta: object = {}) {
  let session = { _meta: meta } as unknown as SessionState;
  const turns: Turn[] = [];
  for (const usage of usages) {
    turns.push({ usage } as Turn);
    const [change] = usageChanges({ turns: [...turns] } as unknown as ChatState, session);
    if (change?.type === 'session/metaChanged') session = { ...session, _meta: change._meta };
  }
  return sessionUsage(session);
}

function costing(amount: number, currency = 'USD'): UsageInfo {
  return { inputTokens: 1, _meta: { [ExtensionMeta.context]: { cost: { amount, currency } } } };
}

it.each<[string, UsageInfo[], object[]]>([
  ['what the chat has cost so far counts once', [costing(1), costing(1), costing(4)], [{ amount: 4, currency: 'USD' }]],
  ['an agent that begins anew adds to it', [costing(3), costing(1), costing(2)], [{ amount: 5, currency: 'USD' }]],
  [
    'currencies are not added to each other',
    [costing(3), costing(2, 'EUR')],
    [
      { amount: 3, currency: 'USD' },
      { amount: 2, currency: 'EUR' },
    ],
  ],
  ['a turn without a report changes nothing', [costing(3), {}, costing(3)], [{ amount: 3, currency: 'USD' }]],
])('%s', (_what, usages, costs) => {
  expect(usedBy(usages)?.costs).toEqual(costs);
});

it('counts the turns from before there was a total, and keeps the rest of the meta', () => {
  const turns = [{ usage: costing(2) }, {}, { usage: costing(3) }] as Turn[];
  const session = { _meta: { mine: 1 } } as unknown as SessionState;
  const [change] = usageChanges({ turns } as unknown as ChatState, session);
  if (change?.type !== 'session/metaChanged') throw new Error('no change');
  expect(change._meta).toMatchObject({ mine: 1 });
  expect(sessionUsage(change)).toMatchObject({ inputTokens: 2, costs: [{ amount: 3, currency: 'USD' }] });
});

it('an agent cannot make it grow without limit, or anything but numbers', () => {
  const report = fc.record({
    inputTokens: fc.nat(1_000),
    _meta: fc.record({ [ExtensionMeta.context]: fc.oneof(fc.anything(), fc.record({ cost: cost() })) }),
  });
  fc.assert(
    fc.property(fc.array(report as fc.Arbitrary<UsageInfo>, { maxLength: 30 }), (usages) => {
      const used = usedBy(usages);
      expect(used?.costs.length ?? 0).toBeLessThanOrEqual(8);
      for (const { amount, currency } of used?.costs ?? []) {
        expect(amount).toBeGreaterThanOrEqual(0);
        expect(currency.length).toBeLessThanOrEqual(8);
      }
      expect(used?.inputTokens ?? 0).toBe(usages.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0));
    }),
  );
});

function cost() {
  return fc.record({ amount: fc.oneof(fc.double(), fc.constant('1')), currency: fc.oneof(fc.string(), fc.nat()) });
}
