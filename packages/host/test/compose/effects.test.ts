import type { StateAction } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { EFFECTS, effectsOf } from '../../src/compose/effects.js';
import type { Services } from '../../src/compose/services.js';
import type { Committed } from '../../src/core/committed.js';

const rows = Object.values(EFFECTS).flatMap((actions) => Object.entries<readonly string[]>(actions));
const rowOf = (type: string) => rows.find(([one]) => one === type)?.[1] ?? [];

describe('the order of effects', () => {
  it.each([
    ['chat/turnStarted', 'starters', 'turns'], // whose tokens the turn uses
    ['chat/pendingMessageSet', 'starters', 'turns'],
    ['chat/turnStarted', 'telemetry', 'turns'],
    ['chat/inputCompleted', 'accessRequests', 'turns'],
    ['session/ready', 'customizations', 'turns'],
    ['session/ready', 'changesets', 'turns'],
    ['session/chatRemoved', 'changesets', 'turns'],
    ['session/customizationToggled', 'mcp', 'customizations'],
    ['changeset/filesReviewChanged', 'operationBoard', 'operations'],
  ])('%s: %s before %s', (type, first, second) => {
    const names = rowOf(type);
    expect(names).toContain(first);
    expect(names.indexOf(second)).toBeGreaterThan(names.indexOf(first));
  });

  it('turns come last wherever they react: they start and stop agents', () => {
    for (const [type, names] of rows) {
      if (names.includes('turns')) expect([type, names.at(-1)]).toEqual([type, 'turns']);
    }
  });

  it('nothing reacts to pieces of text and output, which pass by the thousand', () => {
    for (const type of ['chat/delta', 'chat/reasoning', 'chat/toolCallDelta', 'terminal/data']) {
      expect([type, rowOf(type)]).toEqual([type, []]);
    }
  });
});

it('each action calls what its row names, from left to right', () => {
  const called: string[] = [];
  const named = (name: string) => new Proxy({}, { get: () => () => called.push(name) });
  const services = {
    auth: { starters: named('starters') },
    turnTelemetry: named('telemetry'),
    resources: { requests: named('accessRequests') },
    mcp: named('mcp'),
    customizations: named('customizations'),
    changesets: named('changesets'),
    operations: { board: named('operationBoard'), onReviewChanged: () => called.push('operations') },
    terminals: named('terminals'),
    annotations: named('annotations'),
    notifications: named('notifications'),
    search: named('search'),
    budgets: named('budgets'),
    turns: named('turns'),
  } as unknown as Services;
  const effects = effectsOf(services);
  for (const [type, names] of rows) {
    called.length = 0;
    for (const effect of effects.get(type as StateAction['type']) ?? []) effect({} as Committed);
    expect([type, called]).toEqual([type, names]);
  }
});
