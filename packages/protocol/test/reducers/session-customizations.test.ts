import { describe, expect, it } from 'vitest';
import type { Customization, SessionAction, SessionState } from '../../src/index.js';
import { apply, foreign, onTheWire, withExtras } from '../support/reducing.js';
import { mcpServer, plugin, sessionState } from '../support/samples.js';

function after(state: SessionState, ...actions: SessionAction[]): SessionState {
  return apply('session', state, ...actions);
}

const skill = { type: 'skill' as const, id: 'skill', uri: 'file:///s', name: 'Skill' };
const before = sessionState({
  customizations: [
    plugin('p', { children: [skill, mcpServer('inner')] }),
    withExtras(mcpServer('m', { channel: 'mcp://m' })),
    foreign<Customization>({ type: 'hologram', id: 'h', children: [skill] }),
  ],
});
const [container, server, hologram] = before.customizations ?? [];

it('R-44 session/customizationsChanged replaces the list', () => {
  const state = after(before, { type: 'session/customizationsChanged', customizations: [plugin('q')] });
  expect(state).toEqual(sessionState({ customizations: [plugin('q')] }));
});

describe('session/customizationToggled', () => {
  const toggled = (id: string): SessionAction => ({ type: 'session/customizationToggled', id, enabled: false });

  it.each(['p', 'm', 'h'])('R-45 disables the top-level entry %s, whatever its type', (id) => {
    const expected = before.customizations?.map((entry) => (entry.id === id ? { ...entry, enabled: false } : entry));
    expect(after(before, toggled(id)).customizations).toEqual(expected);
  });

  it('R-45 never reaches a child', () => {
    expect(after(before, toggled('inner'))).toBe(before);
  });

  it('R-45 is a no-op for an unknown id or without a list', () => {
    const bare = sessionState();
    expect(after(before, toggled('x'))).toBe(before);
    expect(after(bare, toggled('p'))).toBe(bare);
  });
});

describe('session/customizationUpdated', () => {
  it('R-46 replaces an entry wholly and in place: children that are not repeated are lost', () => {
    const state = after(before, { type: 'session/customizationUpdated', customization: plugin('p') });
    expect(onTheWire(state.customizations)).toStrictEqual([plugin('p'), server, hologram]);
  });

  it('R-46 appends a new one, also to no list at all', () => {
    const action: SessionAction = { type: 'session/customizationUpdated', customization: plugin('q') };
    expect(after(before, action).customizations).toEqual([container, server, hologram, plugin('q')]);
    expect(after(sessionState(), action).customizations).toEqual([plugin('q')]);
  });

  it('R-46 does not look at children', () => {
    const state = after(before, { type: 'session/customizationUpdated', customization: mcpServer('inner') });
    expect(state.customizations?.map(({ id }) => id)).toEqual(['p', 'm', 'h', 'inner']);
  });
});

describe('session/customizationRemoved', () => {
  const removed = (id: string): SessionAction => ({ type: 'session/customizationRemoved', id });

  it('R-47 removes a top-level entry with its children', () => {
    expect(after(before, removed('p')).customizations).toEqual([server, hologram]);
  });

  it('R-47 removes a child from every container that has it, and leaves an emptied list', () => {
    expect(after(before, removed('skill')).customizations).toEqual([
      plugin('p', { children: [mcpServer('inner')] }),
      server,
      { ...hologram, children: [] },
    ]);
  });

  it('R-47 removes only the first child with the id in each container', () => {
    const twice = sessionState({ customizations: [plugin('p', { children: [skill, { ...skill, name: 'Again' }] })] });
    expect(after(twice, removed('skill')).customizations).toEqual([
      plugin('p', { children: [{ ...skill, name: 'Again' }] }),
    ]);
  });

  it('R-47 leaves an emptied top-level list', () => {
    expect(after(sessionState({ customizations: [plugin('p')] }), removed('p')).customizations).toEqual([]);
  });

  it('R-47 is a no-op for an unknown id or without a list', () => {
    const bare = sessionState();
    expect(after(before, removed('x'))).toBe(before);
    expect(after(bare, removed('p'))).toBe(bare);
  });
});

describe('session/mcpServerStateChanged', () => {
  const ready = (id: string, channel?: string): SessionAction => ({
    type: 'session/mcpServerStateChanged',
    id,
    state: { kind: 'ready' },
    ...(channel !== undefined && { channel }),
  });

  it('R-48 changes state and channel of a top-level server and keeps the rest', () => {
    expect(after(before, ready('m', 'mcp://new')).customizations?.[1]).toEqual(
      withExtras(mcpServer('m', { state: { kind: 'ready' }, channel: 'mcp://new' })),
    );
  });

  it('R-48 an omitted channel is removed', () => {
    expect(onTheWire(after(before, ready('m')).customizations?.[1])).not.toHaveProperty('channel');
  });

  it('R-48 changes a server inside every container', () => {
    const both = sessionState({
      customizations: [plugin('p', { children: [mcpServer('x')] }), plugin('q', { children: [skill, mcpServer('x')] })],
    });
    const changed = mcpServer('x', { state: { kind: 'ready' }, channel: 'mcp://x' });
    expect(after(both, ready('x', 'mcp://x')).customizations).toEqual([
      plugin('p', { children: [changed] }),
      plugin('q', { children: [skill, changed] }),
    ]);
  });

  it('R-48 leaves a container alone whose first child with the id is something else', () => {
    const shadowed = sessionState({
      customizations: [plugin('p', { children: [{ ...skill, id: 'x' }, mcpServer('x')] })],
    });
    expect(after(shadowed, ready('x'))).toBe(shadowed);
  });

  it('R-48 a top-level entry of another type ends the search', () => {
    const shadowed = sessionState({ customizations: [plugin('x', { children: [mcpServer('x')] })] });
    expect(after(shadowed, ready('x'))).toBe(shadowed);
  });

  it('R-48 is a no-op for an unknown id or without a list', () => {
    const bare = sessionState();
    expect(after(before, ready('nowhere'))).toBe(before);
    expect(after(bare, ready('m'))).toBe(bare);
  });
});
