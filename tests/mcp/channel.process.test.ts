import type { ClientTransport } from '@moorage/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, PATIENT } from '../support/actions.js';
import { everything, serverIs, serversIn } from '../support/mcp.js';
import { processesWith } from '../support/processes.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const APPS = { capabilities: { mcpApps: {} } };
const NOT_FOUND = -32601;
/** Bytes that may wait in a socket before frames queue up in the host (packages/host limits). */
const MAX_BACKLOG = 1024 * 1024;

let mark: string;
let host: TestHost;
/** It can show Apps. */
let apps: WireClient;
/** It cannot. */
let plain: WireClient;
let session: string;
let channel: string;
beforeEach(async () => {
  mark = `mark-${crypto.randomUUID()}`;
  host = await TestHost.start({ mcp: { servers: [everything(mark)] } });
  apps = await host.client(APPS);
  plain = await host.client();
  ({ session } = await host.session(apps));
  await plain.subscribe(session);
  channel = (await serverIs(apps, session, 'ready')).channel ?? '';
});
afterEach(async () => {
  await host.dispose();
  await expect.poll(() => processesWith(mark), PATIENT).toEqual([]);
});

const ask = (method: string, params: object = {}, client = apps) => client.peer.request(method, { channel, ...params });

describe('the side channel of an MCP server', () => {
  it('is advertised with what is served on it (B-246, B-249)', async () => {
    const [server] = await serversIn(apps, session);
    expect(server).toMatchObject({ channel: expect.stringMatching(/^mcp:\/\//) });
    expect(server?.mcpApp).toEqual({
      capabilities: { serverTools: { listChanged: true }, serverResources: { listChanged: true }, logging: {} },
    });
  });

  it('passes requests to the server and its answers back, without the channel (OQ-74)', async () => {
    const { tools } = (await ask('tools/list')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain('echo');
    const echoed = await ask('tools/call', { name: 'echo', arguments: { message: 'hi', channel: 'mine' } });
    expect(echoed).toEqual({ content: [{ type: 'text', text: 'Echo: hi' }] });
    const { resources } = (await ask('resources/list')) as { resources: { uri: string }[] };
    const uri = resources[0]?.uri ?? '';
    expect(await ask('resources/read', { uri })).toMatchObject({ contents: [{ uri }] });
    expect(await ask('resources/templates/list')).toMatchObject({ resourceTemplates: expect.any(Array) });
    expect(await ask('logging/setLevel', { level: 'error' })).toEqual({});
  });

  it('passes errors of the server on (OQ-74)', async () => {
    const error = await apps.refused('resources/read', { channel, uri: 'demo://nothing' });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('demo://nothing') });
    expect(await apps.refused('logging/setLevel', { channel, level: 'shout' })).toMatchObject({
      code: expect.any(Number),
    });
  });

  it('serves nothing that is not advertised: not even ping, nor what the host itself serves (B-248)', async () => {
    const others = [
      'ping',
      'initialize',
      'prompts/list',
      'sampling/createMessage',
      'completion/complete',
      'listSessions',
    ];
    for (const method of [...others, 'resources/subscribe', 'constructor']) {
      expect(await apps.refused(method, { channel }), method).toMatchObject({ code: NOT_FOUND });
    }
    apps.peer.notify('notifications/message', { channel, level: 'info', data: 'from an App' });
    await apps.sync();
    expect(host.logged.join('\n')).toContain('from an App');
  });

  it('is not there under another name, nor any more once the server has stopped', async () => {
    expect(await apps.refused('tools/list', { channel: 'mcp://nobody' })).toMatchObject({ code: NOT_FOUND });
    expect(await apps.refused('subscribe', { channel: 'mcp://nobody' })).toMatchObject({ code: expect.any(Number) });
    await accepted(apps, session, {
      type: 'session/customizationToggled',
      id: 'mcp:everything',
      enablement: [{ kind: 'session', enabled: false }],
    });
    expect((await serverIs(apps, session, 'stopped')).channel).toBeUndefined();
    expect(await apps.refused('tools/list', { channel })).toMatchObject({ code: NOT_FOUND });
    await accepted(apps, session, {
      type: 'session/customizationToggled',
      id: 'mcp:everything',
      enablement: [{ kind: 'session', enabled: true }],
    });
    const { channel: next } = await serverIs(apps, session, 'ready');
    expect(next).not.toBe(channel);
    expect(await apps.peer.request('tools/list', { channel: next })).toHaveProperty('tools');
  });

  it('tells those who subscribed, and only those, that a list changed (OQ-74)', async () => {
    const other = await host.client(APPS);
    expect(await apps.request('subscribe', { channel })).toEqual({});
    const call = {
      name: 'gzip-file-as-resource',
      arguments: { data: 'data:text/plain,x', outputType: 'resourceLink' },
    };
    await ask('tools/call', call); // it adds a resource
    const told = (client: WireClient) =>
      client.notifications.filter(({ method }) => method.startsWith('notifications/'));
    const isOfResources = ({ method }: { method: string }) => method === 'notifications/resources/list_changed';
    await apps.until(() => told(apps).find(isOfResources), 'a notification'); // that of tools may come as well
    expect(told(apps)).toContainEqual({ method: 'notifications/resources/list_changed', params: { channel } });
    await other.sync();
    expect(told(other)).toEqual([]);
    apps.peer.notify('unsubscribe', { channel });
    await apps.sync();
    const before = told(apps).length;
    expect(await other.request('subscribe', { channel })).toEqual({});
    await ask('tools/call', call);
    await other.until(() => told(other).find(isOfResources), 'a notification'); // so everybody who gets one has it
    await apps.sync();
    expect(told(apps)).toHaveLength(before);
  });
});

describe('a client that cannot show Apps (B-250, OQ-72)', () => {
  const isSilent = (client: WireClient) => {
    const heard = JSON.stringify([client.envelopes, client.notifications]);
    expect(heard).not.toContain('mcp://');
    expect(heard).not.toContain('mcpApp');
  };

  it('is not told of the channel: not in snapshots, not in actions, not when it comes back', async () => {
    const [server] = await serversIn(plain, session);
    expect(server).toMatchObject({ id: 'mcp:everything', state: { kind: 'ready' } });
    expect(server).not.toHaveProperty('channel');
    expect(server).not.toHaveProperty('mcpApp');
    await serverIs(plain, session, 'ready');
    isSilent(plain);
    const { client: back, result } = await host.reconnect(plain, [session], 0);
    expect(JSON.stringify(result)).not.toMatch(/mcp:\/\/|mcpApp/);
    expect(JSON.stringify(result)).toContain('mcp:everything');
    isSilent(back);
    const { result: whole } = await host.reconnect(apps, [session], 0);
    expect(JSON.stringify(whole)).toContain(channel);
  });

  it('is not told of it either when it reads late what queued for it', async () => {
    const transport = host.transports[1] as ClientTransport;
    plain.socket.pause();
    const title = 'x'.repeat(128 * 1024);
    while (transport.backlog <= MAX_BACKLOG) await apps.act(session, { type: 'session/titleChanged', title });
    await apps.act(session, {
      type: 'session/customizationToggled',
      id: 'mcp:everything',
      enablement: [{ kind: 'session', enabled: false }],
    });
    await serverIs(apps, session, 'stopped');
    await apps.act(session, {
      type: 'session/customizationToggled',
      id: 'mcp:everything',
      enablement: [{ kind: 'session', enabled: true }],
    });
    await serverIs(apps, session, 'ready');
    plain.socket.resume();
    await plain.sync();
    expect(JSON.stringify(plain.actionsOn(session).at(-1))).toContain('"ready"');
    isSilent(plain);
  });

  it('cannot use it either', async () => {
    expect(await plain.refused('tools/list', { channel })).toMatchObject({ code: NOT_FOUND });
    expect(await plain.refused('subscribe', { channel })).toMatchObject({ code: expect.any(Number) });
  });

  it('of an earlier version is not told, and one that can is', async () => {
    const old = await host.rawClient();
    const hello = { channel: 'ahp-root://', protocolVersions: ['0.3.0'], initialSubscriptions: [session] };
    const silent = await old.peer.request('initialize', { ...hello, clientId: old.clientId });
    expect(JSON.stringify(silent)).toContain('mcp:everything');
    expect(JSON.stringify(silent)).not.toMatch(/mcp:\/\/|mcpApp/);
    const able = await host.rawClient();
    const told = await able.peer.request('initialize', { ...hello, clientId: able.clientId, ...APPS });
    expect(JSON.stringify(told)).toContain(channel);
    expect(await able.peer.request('tools/list', { channel })).toHaveProperty('tools');
  });
});
