import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AhpErrorCodes, type Customization, RpcError, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, callsOf, chatState, PATIENT, startTurn, turn, turnEnd } from '../support/actions.js';
import { EVERYTHING, serversIn } from '../support/mcp.js';
import { processesWith } from '../support/processes.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost, type TestHostOptions } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let mark: string;
let home: string;
let host: TestHost;
let alice: WireClient;
let bob: WireClient;
let session: string;
let chat: string;

beforeEach(() => {
  mark = `mark-${crypto.randomUUID()}`;
  home = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-home-')));
});
afterEach(async () => {
  await host.dispose();
  rmSync(home, { recursive: true, force: true });
  await expect.poll(() => processesWith(mark), PATIENT).toEqual([]);
});

async function start(plugins: string[], options: TestHostOptions = {}, params: object = {}): Promise<void> {
  host = await TestHost.start({ customizations: { userHome: home, plugins }, ...options });
  alice = await host.client({ clientId: 'alice' });
  bob = await host.client({ clientId: 'bob' });
  ({ session, chat } = await host.session(alice, params));
  await bob.subscribe(session);
  await bob.subscribe(chat);
}

function put(path: string, content: object, base = home): void {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}

/** The reference server as plugins name it. */
const declared = (more: object = {}) => ({
  mcpServers: { ref: { command: process.execPath, args: [EVERYTHING, 'stdio'], env: { MARK: mark, ...more } } },
});
const server = async (name = 'ref') => (await serversIn(bob, session)).find((one) => one.name === name);
const becomes = (kind: string | undefined) => expect.poll(async () => (await server())?.state.kind, PATIENT).toBe(kind);
const runs = (count: number) => expect.poll(() => processesWith(mark).length, PATIENT).toBe(count);
const plugin = async (): Promise<Customization | undefined> => {
  const { customizations = [] } = await bob.subscribe<SessionState>(session);
  return customizations.find(({ type }) => type === 'plugin');
};
const toggle = async (id: string | undefined, enabled: boolean) =>
  accepted(bob, session, {
    type: 'session/customizationToggled',
    id: id ?? '',
    enablement: [{ kind: 'session', enabled }],
  });

async function echo(message: string) {
  await turn(alice, chat, `/mcp ref echo {"message": "${message}"}`);
  return callsOf((await chatState(bob, chat)).turns.at(-1)?.responseParts)[0];
}

describe('MCP servers of a plugin on this machine', () => {
  it('run as its children, are called by agents, and follow both switches', async () => {
    put('one/plugin.json', { name: 'one' });
    put('one/.mcp.json', declared());
    await start([join(home, 'one')]);
    await becomes('ready');
    const { id = '' } = (await server()) ?? {};
    expect(await echo('ping')).toMatchObject({
      success: true,
      contributor: { kind: 'mcp', customizationId: id },
      content: [{ text: 'Echo: ping' }],
    });
    await runs(1);

    await toggle(id, false);
    await becomes('stopped');
    await runs(0);
    expect(await echo('off')).toMatchObject({ success: false, error: { message: expect.stringContaining('stopped') } });
    await toggle(id, true);
    await becomes('ready');

    const container = (await plugin())?.id;
    await toggle(container, false);
    await becomes('stopped');
    await runs(0);
    await toggle(container, true);
    await becomes('ready');
    expect(await echo('again')).toMatchObject({ success: true });
    expect(await server()).toMatchObject({ id });

    const updates = bob.actionsOn(session).filter(({ type }) => type === 'session/mcpServerStateChanged');
    const states = updates.map((action) => (action.type === 'session/mcpServerStateChanged' ? action.state.kind : ''));
    const life = ['starting', 'ready', 'stopped'];
    expect(states).toEqual([...life, ...life, 'starting', 'ready']);
    const seen = JSON.stringify([bob.envelopes, host.logged]);
    for (const secret of [mark, 'MARK', EVERYTHING]) expect(seen).not.toContain(secret);
  });

  it('start anew when their launch changes, and stop with the plugin', async () => {
    put('.agents/plugins/one/.mcp.json', declared());
    await start([]);
    await becomes('ready');
    const before = processesWith(mark);
    put('.agents/plugins/one/.mcp.json', declared({ OTHER: '1' }));
    await expect.poll(() => processesWith(mark).filter((pid) => !before.includes(pid)).length, PATIENT).toBe(1);
    await runs(1);
    await becomes('ready');
    rmSync(join(home, '.agents/plugins/one'), { recursive: true });
    await expect.poll(plugin, PATIENT).toBeUndefined();
    await runs(0);
    expect(await echo('gone')).toMatchObject({
      success: false,
      error: { message: expect.stringContaining('There is no MCP server "ref"') },
    });
  });

  it('keep what users chose over a restart, and run for a turn that nobody watches the session of', async () => {
    put('one/.mcp.json', declared());
    await start([join(home, 'one')]);
    await becomes('ready');
    const { id } = (await server()) ?? {};
    await toggle(id, false);
    await becomes('stopped');
    await host.restart();
    bob = await host.client();
    await expect.poll(server, PATIENT).toMatchObject({ enablement: [{ enabled: false }], state: { kind: 'stopped' } });
    await toggle(id, true);
    await becomes('ready');
    await host.restart();
    alice = await host.client();
    await alice.subscribe(chat); // the chat alone
    bob = alice;
    expect(await echo('quietly')).toMatchObject({ success: true });
  });

  it('that the workspace holds wait for a user, though an agent declares the plugin', async () => {
    const agent = testAgent();
    const customizations: Customization[] = [{ id: 'p', type: 'plugin', uri: 'own', name: 'Own' }];
    const agents = [{ ...agent, info: { ...agent.info, customizations } }];
    await start([], { agents }, { provider: 'test' });
    put('own/.mcp.json', declared(), host.workspace);
    await expect.poll(server, PATIENT).toMatchObject({ enablement: [{ enabled: false }], state: { kind: 'stopped' } });
    await toggle((await server())?.id, true);
    await becomes('ready');
  });
});

describe('MCP servers of a plugin of a client', () => {
  const URI = 'virtual://alice/p';
  const publish = async (nonce: string, content: object) => {
    alice.serves.set('resourceList', ({ uri }: { uri: string }) => {
      if (uri !== URI) throw new RpcError(AhpErrorCodes.NotFound, 'no');
      return { entries: [{ name: '.mcp.json', type: 'file' }] };
    });
    alice.serves.set('resourceRead', () => ({ data: JSON.stringify(content), encoding: 'utf-8' }));
    const published = { id: 'p', type: 'plugin', uri: URI, name: 'Mine', nonce };
    await accepted(alice, session, {
      type: 'session/activeClientSet',
      activeClient: { clientId: 'alice', tools: [], customizations: [published] },
    });
  };
  const isOff = () =>
    expect.poll(server, PATIENT).toMatchObject({ enablement: [{ enabled: false }], state: { kind: 'stopped' } });

  it('run nothing until a user switches them on, and nothing else than was there then', async () => {
    await start([]);
    await publish('1', declared());
    await isOff();
    expect(await echo('early')).toMatchObject({ success: false });
    expect(processesWith(mark)).toEqual([]);
    await toggle((await plugin())?.id, false);
    await toggle((await plugin())?.id, true); // the plugin as a whole says nothing about programs
    expect(await echo('still')).toMatchObject({ success: false });
    expect(processesWith(mark)).toEqual([]);

    const { id } = (await server()) ?? {};
    await toggle(id, true);
    await becomes('ready');
    // Its tool says that it only reads. The user is asked all the same.
    const turnId = startTurn(alice, chat, '/mcp ref echo {"message": "on"}');
    const { toolCallId, confirmed } = await bob.action(chat, 'chat/toolCallReady', 3);
    expect(confirmed).toBeUndefined();
    const yes = { turnId, toolCallId, approved: true, confirmed: 'user-action' };
    await accepted(bob, chat, { type: 'chat/toolCallConfirmed', ...yes });
    await turnEnd(alice, chat, turnId);
    const call = callsOf((await chatState(bob, chat)).turns.at(-1)?.responseParts)[0];
    expect(call).toMatchObject({ success: true, contributor: { customizationId: id } });
    expect(call?._meta).not.toHaveProperty(['moorage.readOnlyHint']);

    await publish('2', declared({ OTHER: '1' }));
    await expect.poll(async () => (await server())?.id, PATIENT).not.toBe(id);
    await isOff();
    await runs(0);
    await publish('3', declared());
    await becomes('ready'); // this is what was switched on
  });

  it('stop when their client leaves, whether or not somebody watches', async () => {
    await start([]);
    await publish('1', declared());
    await isOff();
    await toggle((await server())?.id, true);
    await becomes('ready');
    bob.peer.notify('unsubscribe', { channel: session });
    await host.leave(alice);
    await runs(0);
    expect(await plugin()).toBeUndefined();
  });
});
