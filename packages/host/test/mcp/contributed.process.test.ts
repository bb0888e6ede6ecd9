import {
  isEnabledBy,
  type McpServerCustomization,
  type PluginCustomization,
  type SessionState,
  type StateAction,
} from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { everything } from '../../../../tests/support/mcp.js';
import { processesWith } from '../../../../tests/support/processes.js';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { nodeIds } from '../../src/adapters/ids-node/index.js';
import { sdkMcp } from '../../src/adapters/mcp-sdk/index.js';
import { createMemoryDisk, createMemoryStore } from '../../src/adapters/store-memory/index.js';
import { EFFECTS } from '../../src/compose/effects.js';
import type { Channel } from '../../src/core/channel.js';
import type { Committed } from '../../src/core/committed.js';
import { Door } from '../../src/core/door.js';
import { AgentRegistry } from '../../src/services/agents.js';
import type { HostContext } from '../../src/services/context.js';
import { McpService } from '../../src/services/mcp/mcp-service.js';
import { newSessionState } from '../../src/services/sessions/new-session.js';

const PATIENT = { timeout: 30_000, interval: 10 };
const URI = 'ahp-session:/one';

let mark: string;
let door: Door;
let mcp: McpService;
let session: Channel<'session'>;

/** What the customizations service does: it shows a plugin, and hands over the servers in it. */
beforeEach(() => {
  mark = `mark-${crypto.randomUUID()}`;
  const store = createMemoryStore(createMemoryDisk());
  const fail = (error: unknown) => {
    throw error;
  };
  const schedule = () => nodeClock.defer(() => door.settle());
  door = new Door({
    store,
    clock: nodeClock,
    numbersFor: () => 1,
    schedule,
    onEffectError: fail,
    onStoreError: fail,
    onDropped: fail,
  });
  const agents = new AgentRegistry([]);
  const log = { write: () => {} };
  const folders = { resolve: () => undefined } as unknown as HostContext['folders'];
  const files = {} as HostContext['files'];
  const context: HostContext = { door, store, clock: nodeClock, ids: nodeIds, log, agents, folders, files };
  mcp = new McpService(context, { client: sdkMcp(), servers: [] });
  const changes = Object.entries(EFFECTS.session).filter(([, names]) => names.some((name) => name === 'mcp'));
  const effect = (committed: Committed) => mcp.onSession(committed as unknown as Committed<'session'>);
  door.connect({ effects: new Map(changes.map(([type]) => [type as StateAction['type'], [effect]])) });
  const state = newSessionState({ params: { channel: URI }, provider: 'demo', now: 0 } as never);
  session = door.open(URI, 'session', URI, { ...state, lifecycle: 'ready' } as SessionState);
  door.commit(session, { type: 'session/customizationUpdated', customization: plugin() });
});
afterEach(async () => {
  await mcp.close();
  expect(processesWith(mark)).toEqual([]);
});

const declared = () => ({ ...everything(mark), id: 'plugin-1/server', name: 'inner' });

function plugin(more: Partial<PluginCustomization> = {}): PluginCustomization {
  const { id, name, uri } = declared();
  const server: McpServerCustomization = {
    type: 'mcpServer',
    id,
    name,
    uri,
    state: { kind: 'starting' },
  };
  return {
    type: 'plugin',
    id: 'plugin-1',
    name: 'Plugin',
    uri: 'file:///plugin',
    children: [server],
    ...more,
  };
}

function shown(): McpServerCustomization {
  const [entry] = session.state.customizations ?? [];
  return (entry as PluginCustomization).children?.[0] as McpServerCustomization;
}

async function is(kind: string): Promise<void> {
  await expect.poll(() => shown().state.kind, PATIENT).toBe(kind);
}

const toggle = (id: string, enabled: boolean) =>
  door.commit(session, { type: 'session/customizationToggled', id, enablement: [{ kind: 'session', enabled }] });

it('a server of a plugin runs while the session is in use, and shows in the plugin', async () => {
  mcp.declare(session, 'plugin-1', [declared()]);
  expect(processesWith(mark)).toEqual([]);
  mcp.use(session);
  await is('ready');
  expect(shown()).toMatchObject({ channel: expect.stringMatching(/^mcp:/), mcpApp: { capabilities: { logging: {} } } });
  expect(mcp.toolsOf(URI)).toContainEqual(expect.objectContaining({ server: 'inner', name: 'echo' }));
  expect(session.state.customizations).toHaveLength(1);
  mcp.release(URI);
  await is('stopped');
});

it('a server of a plugin starts and stops when it or its plugin is toggled', async () => {
  mcp.declare(session, 'plugin-1', [declared()]);
  mcp.use(session);
  await is('ready');
  toggle(shown().id, false);
  await is('stopped');
  expect(isEnabledBy(shown().enablement)).toBe(false);
  toggle(shown().id, true);
  await is('ready');
  expect(isEnabledBy(shown().enablement)).toBe(true);
  toggle('plugin-1', false);
  await is('stopped');
  expect(isEnabledBy(shown().enablement)).toBe(true);
  toggle('plugin-1', true);
  await is('ready');
});

it('a plugin that is published again keeps its running server and shows its state', async () => {
  mcp.declare(session, 'plugin-1', [declared()]);
  mcp.use(session);
  await is('ready');
  const pids = processesWith(mark);
  const { channel } = shown();
  door.commit(session, { type: 'session/customizationUpdated', customization: plugin({ name: 'Renamed' }) });
  mcp.declare(session, 'plugin-1', [declared()]);
  await is('ready');
  expect(shown().channel).toBe(channel);
  expect(processesWith(mark)).toEqual(pids);
});

it('a server stops when its plugin is removed or no longer contains it', async () => {
  mcp.declare(session, 'plugin-1', [declared()]);
  mcp.use(session);
  await is('ready');
  door.commit(session, { type: 'session/customizationRemoved', id: 'plugin-1' });
  await expect.poll(() => processesWith(mark), PATIENT).toEqual([]);
  door.commit(session, { type: 'session/customizationUpdated', customization: plugin() });
  await is('ready');
  mcp.declare(session, 'plugin-1', []);
  await expect.poll(() => processesWith(mark), PATIENT).toEqual([]);
  expect(mcp.toolsOf(URI)).toEqual([]);
});
