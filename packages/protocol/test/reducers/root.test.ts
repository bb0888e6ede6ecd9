import { describe, expect, it } from 'vitest';
import type { RootAction, RootState } from '../../src/index.js';
import { apply, foreign, withExtras } from '../support/reducing.js';
import { rootState } from '../support/samples.js';

const schema = { type: 'object' as const, properties: { theme: { type: 'string' as const, title: 'Theme' } } };

function configured(values: Record<string, unknown>): RootState {
  return rootState({ config: { schema, values } });
}

describe('root/agentsChanged', () => {
  it('R-22 replaces the whole list', () => {
    const agent = { provider: 'mock', displayName: 'Mock', description: 'for tests', models: [] };
    const before = rootState({ agents: [{ ...agent, provider: 'old' }] });
    expect(apply('root', before, { type: 'root/agentsChanged', agents: [agent] })).toEqual({ agents: [agent] });
  });

  it('R-7 keeps unknown members of the state and of the agents', () => {
    const agent = withExtras({ provider: 'mock', displayName: 'Mock', description: '', models: [] });
    const after = apply('root', withExtras(rootState()), { type: 'root/agentsChanged', agents: [agent] });
    expect(after).toEqual(withExtras({ agents: [agent] }));
  });
});

describe('root/activeSessionsChanged', () => {
  it('R-23 stores the count', () => {
    const after = apply('root', rootState(), { type: 'root/activeSessionsChanged', activeSessions: 7 });
    expect(after.activeSessions).toBe(7);
  });
});

describe('root/terminalsChanged', () => {
  it('R-24 replaces the whole list', () => {
    const terminal = {
      resource: 'ahp-terminal:/1',
      title: 'zsh',
      claim: { kind: 'client' as const, clientId: 'c' },
      lifecycle: { status: 'running' as const },
    };
    const before = rootState({ terminals: [{ ...terminal, resource: 'ahp-terminal:/0' }] });
    expect(apply('root', before, { type: 'root/terminalsChanged', terminals: [terminal] }).terminals).toEqual([
      terminal,
    ]);
    expect(apply('root', before, { type: 'root/terminalsChanged', terminals: [] }).terminals).toEqual([]);
  });
});

describe('root/configChanged', () => {
  it('R-25 merges key by key: the action wins, nothing is removed, nested values are replaced', () => {
    const before = configured({ theme: 'light', size: 12, nested: { a: 1, b: 2 } });
    const after = apply('root', before, { type: 'root/configChanged', config: { theme: 'dark', nested: { c: 3 } } });
    expect(after.config).toEqual({ schema, values: { theme: 'dark', size: 12, nested: { c: 3 } } });
  });

  it('R-25 replaces all values with `replace`, and keeps the schema and unknown members', () => {
    const before = rootState({ config: withExtras({ schema, values: { theme: 'light', size: 12 } }) });
    const after = apply('root', before, { type: 'root/configChanged', config: { size: 14 }, replace: true });
    expect(after.config).toEqual(withExtras({ schema, values: { size: 14 } }));
  });

  it('R-25 `replace: false` merges', () => {
    const after = apply('root', configured({ a: 1 }), { type: 'root/configChanged', config: { b: 2 }, replace: false });
    expect(after.config?.values).toEqual({ a: 1, b: 2 });
  });

  it('R-25 does not keep the action alive: the values are a copy', () => {
    const action: RootAction = { type: 'root/configChanged', config: { size: 14 }, replace: true };
    expect(apply('root', configured({}), action).config?.values).not.toBe(action.config);
  });

  it('R-25 is a no-op without a configuration', () => {
    const before = rootState();
    expect(apply('root', before, { type: 'root/configChanged', config: { theme: 'dark' }, replace: true })).toBe(
      before,
    );
  });
});

it('R-4 ignores an action type of a later version', () => {
  const before = rootState();
  expect(apply('root', before, foreign({ type: 'root/lunchBreak', until: 'noon' }))).toBe(before);
});
