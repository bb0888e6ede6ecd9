import { describe, expect, it } from 'vitest';
import {
  type Customization,
  type CustomizationEnablement,
  isEnabledBy,
  type SessionAction,
  type SessionState,
} from '../../src/index.js';
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
    { type: 'directory', id: 'd', uri: 'file:///d', name: 'D', enabled: true, contents: 'skill', writable: false },
  ],
});
const [container, server, hologram, directory] = before.customizations ?? [];

it('R-44 session/customizationsChanged replaces the list', () => {
  const state = after(before, { type: 'session/customizationsChanged', customizations: [plugin('q')] });
  expect(state).toEqual(sessionState({ customizations: [plugin('q')] }));
});

describe('session/customizationToggled', () => {
  const off: CustomizationEnablement[] = [
    { kind: 'session', enabled: false },
    { kind: 'workspace', uri: 'file:///w', enabled: true },
  ];
  const toggled = (id: string, enablement = off): SessionAction => ({
    type: 'session/customizationToggled',
    id,
    enablement,
  });
  /** The list with one top-level entry changed. */
  const withEntry = (id: string, over: object) =>
    before.customizations?.map((entry) => (entry.id === id ? { ...entry, ...over } : entry));

  it.each(['p', 'm'])('R-45 stores the decisions on %s, a plugin or an MCP server', (id) => {
    expect(after(before, toggled(id)).customizations).toEqual(withEntry(id, { enablement: off }));
  });

  it('R-45 replaces earlier decisions, and no decisions remove the list', () => {
    const decided = after(before, toggled('p'));
    const global: CustomizationEnablement[] = [{ kind: 'global', enabled: true }];
    expect(after(decided, toggled('p', global)).customizations).toEqual(withEntry('p', { enablement: global }));
    expect(onTheWire(after(decided, toggled('p', [])).customizations)).toStrictEqual(before.customizations);
  });

  it.each([
    ['a directory', 'd', directory],
    ['an entry of a type that a later version added', 'h', hologram],
  ])('R-45 %s takes what the first decision says', (_, id, entry) => {
    expect(after(before, toggled(id)).customizations).toEqual(withEntry(id, { enabled: false }));
    expect(after(before, toggled(id, [])).customizations).toEqual(withEntry(id, { ...entry, enabled: true }));
  });

  it('R-45 reaches a child: an MCP server takes the decisions, others what they come to', () => {
    const children = [skill, mcpServer('inner', { enablement: off })];
    expect(after(before, toggled('inner')).customizations).toEqual(withEntry('p', { children }));
    const state = after(before, toggled('skill'));
    expect(state.customizations?.[0]).toEqual(
      plugin('p', { children: [{ ...skill, enabled: false }, mcpServer('inner')] }),
    );
  });

  it('R-45 changes only the first child with the id, and none when a top-level entry has it', () => {
    expect(after(before, toggled('skill')).customizations?.[2]).toBe(hologram);
    const shadowed = sessionState({ customizations: [plugin('p', { children: [skill] }), plugin('skill')] });
    expect(after(shadowed, toggled('skill')).customizations?.[0]).toBe(shadowed.customizations?.[0]);
  });

  it('R-45 is a no-op for an unknown id or without a list', () => {
    const bare = sessionState();
    expect(after(before, toggled('x'))).toBe(before);
    expect(after(bare, toggled('p'))).toBe(bare);
  });
});

describe('what a list of decisions comes to', () => {
  it('is the first decision, and yes without any', () => {
    expect(isEnabledBy(undefined)).toBe(true);
    expect(isEnabledBy([])).toBe(true);
    expect(
      isEnabledBy([
        { kind: 'workspace', uri: 'file:///w', enabled: false },
        { kind: 'global', enabled: true },
      ]),
    ).toBe(false);
  });
});

describe('session/customizationUpdated', () => {
  it('R-46 replaces an entry wholly and in place: children that are not repeated are lost', () => {
    const state = after(before, { type: 'session/customizationUpdated', customization: plugin('p') });
    expect(onTheWire(state.customizations)).toStrictEqual([plugin('p'), server, hologram, directory]);
  });

  it('R-46 appends a new one, also to no list at all', () => {
    const action: SessionAction = { type: 'session/customizationUpdated', customization: plugin('q') };
    expect(after(before, action).customizations).toEqual([container, server, hologram, directory, plugin('q')]);
    expect(after(sessionState(), action).customizations).toEqual([plugin('q')]);
  });

  it('R-46 does not look at children', () => {
    const state = after(before, { type: 'session/customizationUpdated', customization: mcpServer('inner') });
    expect(state.customizations?.map(({ id }) => id)).toEqual(['p', 'm', 'h', 'd', 'inner']);
  });
});

describe('session/customizationRemoved', () => {
  const removed = (id: string): SessionAction => ({ type: 'session/customizationRemoved', id });

  it('R-47 removes a top-level entry with its children', () => {
    expect(after(before, removed('p')).customizations).toEqual([server, hologram, directory]);
  });

  it('R-47 removes a child from every container that has it, and leaves an emptied list', () => {
    expect(after(before, removed('skill')).customizations).toEqual([
      plugin('p', { children: [mcpServer('inner')] }),
      server,
      { ...hologram, children: [] },
      directory,
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

describe('what a client asks of an MCP server', () => {
  const ask = (what: 'Start' | 'Stop' | 'Background', id: string): SessionAction => ({
    type: `session/mcpServer${what}Requested`,
    id,
  });
  const running = mcpServer('x', { state: { kind: 'ready' }, channel: 'mcp://x' });

  it.each([
    ['Start', 'starting'],
    ['Stop', 'stopped'],
  ] as const)('session/mcpServer%sRequested shows it as %s at once and without a channel', (what, kind) => {
    const both = sessionState({ customizations: [withExtras(running), plugin('p', { children: [skill] })] });
    const state = after(both, ask(what, 'x'));
    expect(onTheWire(state.customizations)).toStrictEqual([
      withExtras(mcpServer('x', { state: { kind } })),
      plugin('p', { children: [skill] }),
    ]);
  });

  it.each([
    ['Start', 'starting'],
    ['Stop', 'stopped'],
  ] as const)('session/mcpServer%sRequested finds a server inside a container', (what, kind) => {
    const inside = sessionState({ customizations: [plugin('p', { children: [skill, running] })] });
    expect(onTheWire(after(inside, ask(what, 'x')).customizations)).toStrictEqual([
      plugin('p', { children: [skill, mcpServer('x', { state: { kind } })] }),
    ]);
  });

  it('session/mcpServerBackgroundRequested says of a starting server that nobody waits for it', () => {
    const starting = withExtras({ kind: 'starting' as const, blocking: true });
    const blocked = sessionState({
      customizations: [
        mcpServer('x', { state: starting, channel: 'mcp://x' }),
        plugin('p', { children: [mcpServer('y', { state: starting })] }),
      ],
    });
    const freed = { ...starting, blocking: false };
    const state = after(blocked, ask('Background', 'x'), ask('Background', 'y'));
    expect(state.customizations).toEqual([
      mcpServer('x', { state: freed, channel: 'mcp://x' }),
      plugin('p', { children: [mcpServer('y', { state: freed })] }),
    ]);
    expect(after(state, ask('Background', 'x'), ask('Background', 'y'))).toBe(state);
  });

  it('session/mcpServerBackgroundRequested is a no-op for a server that holds nobody up', () => {
    const free = sessionState({ customizations: [running, plugin('p', { children: [mcpServer('y')] })] });
    expect(after(free, ask('Background', 'x'), ask('Background', 'y'))).toBe(free);
  });

  it.each(['Start', 'Stop', 'Background'] as const)(
    'session/mcpServer%sRequested is a no-op for what is unknown, no server, or without a list',
    (what) => {
      const bare = sessionState();
      expect(after(before, ask(what, 'nowhere'), ask(what, 'p'), ask(what, 'skill'))).toBe(before);
      expect(after(bare, ask(what, 'm'))).toBe(bare);
    },
  );
});
