import { fileURLToPath } from 'node:url';
import { modelAgent } from '@moorage/agents/model';
import type { McpServerDeclaration } from '@moorage/host';
import { AhpErrorCodes, RpcError } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, callsOf, chatState, PATIENT, startTurn, turnEnd } from '../support/actions.js';
import { FakeModel } from '../support/fake-model.js';
import { serverIs, serversIn } from '../support/mcp.js';
import { useMark } from '../support/processes.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const SERVER = fileURLToPath(new URL('../support/hinting-mcp-server.mjs', import.meta.url));

/** What tools say of themselves, in the model agent's policy: who is believed is not asked about. */
const mark = useMark();
let model: FakeModel;
let host: TestHost;
let client: WireClient;
let other: WireClient;
let session: string;
let chat: string;

beforeEach(async () => {
  model = await FakeModel.start();
});
afterEach(async () => {
  await host.dispose();
  await model.close();
});

async function start(servers: McpServerDeclaration[]): Promise<void> {
  const agent = modelAgent({ id: 'model', api: 'openai', baseURL: model.baseURL, models: ['fake'] });
  const customizations = { userHome: '/nowhere', plugins: [] };
  host = await TestHost.start({ agents: [agent], mcp: { servers }, customizations });
  client = await host.client();
  other = await host.client();
  ({ session, chat } = await host.session(client, { provider: 'model' }));
  await other.subscribe(session);
  await other.subscribe(chat);
}

/** The other client brings a plugin along, in which there is a server. */
async function publish(content: object): Promise<void> {
  const uri = 'virtual://other/p';
  other.serves.set('resourceList', (params: { uri: string }) => {
    if (params.uri !== uri) throw new RpcError(AhpErrorCodes.NotFound, 'no');
    return { entries: [{ name: '.mcp.json', type: 'file' }] };
  });
  other.serves.set('resourceRead', () => ({ data: JSON.stringify(content), encoding: 'utf-8' }));
  const published = { id: 'p', type: 'plugin', uri, name: 'Mine', enabled: true, nonce: '1' };
  const activeClient = { clientId: other.clientId, tools: [], customizations: [published] };
  await accepted(other, session, { type: 'session/activeClientSet', activeClient });
}

const hinting = (): McpServerDeclaration => ({
  id: 'mcp:hinting',
  name: 'hinting',
  uri: 'file:///config.json#/mcpServers/hinting',
  enabled: true,
  launch: { kind: 'stdio', command: process.execPath, args: [SERVER], env: { MARK: mark.text } },
});

/** Lets the model call a tool; says whether the other client was asked, which allows it for the session. */
async function isAsked(name: string): Promise<boolean> {
  model.queue({ calls: [{ name, input: {} }] }, { text: ['done'] });
  const before = other.actionsOn(chat).length;
  const turnId = startTurn(client, chat, `call ${name}`);
  const { toolCallId, confirmed } = await nextCall(before);
  if (!confirmed) {
    const choice = { approved: true, confirmed: 'user-action', selectedOptionId: 'allow-session' };
    await accepted(other, chat, { type: 'chat/toolCallConfirmed', turnId, toolCallId, ...choice });
  }
  expect(await turnEnd(client, chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
  expect((await lastCall())?.status).toBe('completed');
  return !confirmed;
}

function nextCall(after: number) {
  const ready = () =>
    other
      .actionsOn(chat)
      .flatMap((action, at) => (at >= after && action.type === 'chat/toolCallReady' ? action : []))[0];
  return other.until(ready, 'a call');
}

const lastCall = async () => callsOf((await chatState(other, chat)).turns.at(-1)?.responseParts).at(-1);

describe('a tool of an MCP server of the configuration', () => {
  it('that says it only reads is not asked about, and marked', async () => {
    await start([hinting()]);
    expect(await isAsked('mcp__hinting__peek')).toBe(false);
    expect(await lastCall()).toMatchObject({
      confirmed: 'not-needed',
      _meta: { 'moorage.readOnlyHint': true },
      success: true,
    });
  });

  it.each(['waver', 'deny', 'silent'])('that says something else is: %s', async (name) => {
    await start([hinting()]);
    expect(await isAsked(`mcp__hinting__${name}`)).toBe(true);
    expect((await lastCall())?._meta).not.toHaveProperty(['moorage.readOnlyHint']);
    expect(await isAsked(`mcp__hinting__${name}`)).toBe(false); // this was allowed for the session
  });
});

it('a tool of a server that a client brought along is not believed to only read', async () => {
  await start([]);
  await publish({ mcpServers: { brought: { command: process.execPath, args: [SERVER], env: { MARK: mark.text } } } });
  const id = async () => (await serversIn(other, session)).find(({ name }) => name === 'brought')?.id;
  await expect.poll(id, PATIENT).toBeTruthy();
  const server = (await id()) ?? '';
  await accepted(other, session, {
    type: 'session/customizationToggled',
    id: server,
    enablement: [{ kind: 'session', enabled: true }],
  });
  await serverIs(other, session, 'ready', server);
  expect(await isAsked('mcp__brought__peek')).toBe(true);
  expect((await lastCall())?._meta).not.toHaveProperty(['moorage.readOnlyHint']);
  expect(await isAsked('mcp__brought__peek')).toBe(false); // this was allowed for the session
});

it('a tool of the active client that says it only reads is marked, and asked about by that client alone', async () => {
  await start([]);
  const tools = [
    { name: 'look', annotations: { readOnlyHint: true } },
    { name: 'touch', annotations: { readOnlyHint: false } },
  ];
  const activeClient = { clientId: other.clientId, tools };
  await accepted(other, session, { type: 'session/activeClientSet', activeClient });
  for (const { name, annotations } of tools) {
    model.queue({ calls: [{ name, input: {} }] }, { text: ['done'] });
    const before = other.actionsOn(chat).length;
    const turnId = startTurn(client, chat, name);
    const { toolCallId, confirmed } = await nextCall(before);
    expect(confirmed).toBe('not-needed');
    const result = { success: true, pastTenseMessage: 'Looked' };
    await accepted(other, chat, { type: 'chat/toolCallComplete', turnId, toolCallId, result });
    await turnEnd(client, chat, turnId);
    expect((await lastCall())?._meta).toEqual(annotations.readOnlyHint ? { 'moorage.readOnlyHint': true } : undefined);
  }
});
