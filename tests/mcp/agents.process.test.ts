import { acpAgent } from '@moorage/agents/acp';
import { demoAgent } from '@moorage/agents/demo';
import { modelAgent } from '@moorage/agents/model';
import type { McpServerDeclaration } from '@moorage/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scripted } from '../support/acp/scripted.js';
import {
  accepted,
  approval,
  callsOf,
  chatState,
  shownIn,
  startTurn,
  textOf,
  turn,
  turnEnd,
} from '../support/actions.js';
import { FakeModel } from '../support/fake-model.js';
import { everything, serverIs } from '../support/mcp.js';
import { useMark } from '../support/processes.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const mark = useMark();
let model: FakeModel;
let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;

async function start(provider: string, more: Partial<McpServerDeclaration> = {}, others: McpServerDeclaration[] = []) {
  host = await TestHost.start({
    mcp: { servers: [everything(mark.text, more), ...others] },
    agents: () => [
      demoAgent(),
      modelAgent({ id: 'model', api: 'openai', baseURL: model.baseURL, models: ['fake'] }),
      acpAgent(scripted({ env: { MARK: mark.text } })),
      acpAgent(scripted({ id: 'web', env: { MARK: mark.text, SCRIPTED_HTTP: '1' } })),
    ],
  });
  client = await host.client({ capabilities: { mcpApps: {} } });
  ({ session, chat } = await host.session(client, { provider }));
}

beforeEach(async () => {
  model = await FakeModel.start();
});
afterEach(async () => {
  await host.dispose();
  await model.close();
});

const lastCalls = async () => callsOf((await chatState(client, chat)).turns.at(-1)?.responseParts);
const pending = () =>
  shownIn(client, chat, ({ activeTurn }) =>
    callsOf(activeTurn?.responseParts).find(({ status }) => status === 'pending-confirmation'),
  );
const contributor = { kind: 'mcp', customizationId: 'mcp:everything' };

describe('the agent on a model', () => {
  it('is told of the tools under safe names, and reads run without asking', async () => {
    await start('model');
    model.queue({ calls: [{ name: 'mcp__everything__get-sum', input: { a: 2, b: 3 } }] }, { text: ['It is five.'] });
    await turn(client, chat, 'add');
    expect((await model.request(0)).tools).toContain('mcp__everything__get-sum');
    expect((await model.request(1)).results).toEqual(['The sum of 2 and 3 is 5.']);
    expect(await lastCalls()).toMatchObject([
      { toolName: 'get-sum', contributor, confirmed: 'not-needed', success: true, status: 'completed' },
    ]);
  });

  it('asks for others, once or for the session', async () => {
    await start('model');
    const call = { calls: [{ name: 'mcp__everything__toggle-simulated-logging', input: {} }] };
    model.queue(call, { text: ['done'] }, call, { text: ['again'] });
    const turnId = startTurn(client, chat, 'log');
    const { toolCallId, ...asked } = await pending();
    expect(asked).toMatchObject({ contributor });
    expect((asked as { options?: { id: string }[] }).options?.map(({ id }) => id)).toContain('allow-session');
    const decision = {
      turnId,
      toolCallId,
      approved: true,
      confirmed: 'user-action',
      selectedOptionId: 'allow-session',
    };
    await accepted(client, chat, { type: 'chat/toolCallConfirmed', ...decision });
    await turnEnd(client, chat, turnId);
    await turn(client, chat, 'log again');
    expect(await lastCalls()).toMatchObject([{ confirmed: 'setting', success: true }]);
  });

  it('still waits for the user after a restart of the host', async () => {
    await start('model');
    model.queue({ calls: [{ name: 'mcp__everything__toggle-simulated-logging', input: {} }] }, { text: ['fine'] });
    const turnId = startTurn(client, chat, 'log');
    const { toolCallId } = await pending();
    await host.restart();
    client = await host.client();
    await client.subscribe(chat);
    expect(await pending()).toMatchObject({ toolCallId });
    await accepted(client, chat, approval(turnId, toolCallId));
    expect(await turnEnd(client, chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
    expect(await lastCalls()).toMatchObject([{ status: 'completed', success: true }]);
  });

  it('is told when the user denies one', async () => {
    await start('model');
    model.queue({ calls: [{ name: 'mcp__everything__toggle-simulated-logging', input: {} }] }, { text: ['fine'] });
    const turnId = startTurn(client, chat, 'log');
    const { toolCallId } = await pending();
    const denial = { type: 'chat/toolCallConfirmed', turnId, toolCallId, approved: false, reason: 'denied' };
    await accepted(client, chat, denial);
    await turnEnd(client, chat, turnId);
    expect((await model.request(1)).results[0]).toContain('did not allow');
    expect(await lastCalls()).toMatchObject([{ status: 'cancelled', contributor }]);
  });

  it('lends its model to a server that may use it, and to Apps of it', async () => {
    await start('model', { sampling: true });
    const { channel, mcpApp } = await serverIs(client, session, 'ready');
    expect(mcpApp?.capabilities).toMatchObject({ sampling: {} });
    model.queue(
      { calls: [{ name: 'mcp__everything__trigger-sampling-request', input: { prompt: 'say hi', maxTokens: 20 } }] },
      { text: ['hi from the model'] },
      { text: ['done'] },
    );
    const turnId = startTurn(client, chat, 'sample');
    const { toolCallId } = await pending();
    await accepted(client, chat, approval(turnId, toolCallId));
    await turnEnd(client, chat, turnId);
    expect((await model.request(1)).system).toBe('You are a helpful test server.');
    expect((await model.request(1)).messages.at(-1)?.text).toContain('say hi');
    expect(JSON.stringify(await lastCalls())).toContain('hi from the model');
    model.queue({ text: ['for the App'] });
    const messages = [{ role: 'user', content: { type: 'text', text: 'hello' } }];
    const sampled = await client.peer.request('sampling/createMessage', { channel, messages, maxTokens: 10 });
    expect(sampled).toMatchObject({ role: 'assistant', content: { type: 'text', text: 'for the App' }, model: 'fake' });
    const wrong = await client.refused('sampling/createMessage', { channel, messages: 'x', maxTokens: 10 });
    expect(wrong).toMatchObject({ code: -32602 });
  });

  it('does not lend it to a server that may not', async () => {
    await start('model');
    const { channel, mcpApp } = await serverIs(client, session, 'ready');
    expect(mcpApp?.capabilities).not.toHaveProperty('sampling');
    expect(await client.refused('sampling/createMessage', { channel })).toMatchObject({ code: -32601 });
    model.queue({ text: ['hi'] });
    await turn(client, chat, 'hello');
    expect((await model.request(0)).tools).not.toContain('mcp__everything__trigger-sampling-request');
  });
});

describe('an agent in a process of its own', () => {
  it('calls tools through the host', async () => {
    await start('demo');
    await turn(client, chat, '/mcp everything echo {"message": "across a pipe"}');
    expect(await lastCalls()).toMatchObject([{ contributor, content: [{ text: 'Echo: across a pipe' }] }]);
    const turnId = startTurn(client, chat, '/mcp everything toggle-simulated-logging {}');
    const { toolCallId } = await pending();
    const denial = { type: 'chat/toolCallConfirmed', turnId, toolCallId, approved: false, reason: 'denied' };
    await accepted(client, chat, denial);
    await turnEnd(client, chat, turnId);
    expect(textOf((await chatState(client, chat)).turns.at(-1))).toContain('Skipped');
  });
});

describe('an ACP agent', () => {
  const web: McpServerDeclaration = {
    id: 'mcp:web',
    name: 'web',
    uri: 'file:///config.json',
    enabled: true,
    launch: { kind: 'http', url: 'http://127.0.0.1:1/mcp', headers: { 'X-Key': 'k' } },
  };
  const told = async () => JSON.parse(textOf((await chatState(client, chat)).turns.at(-1))) as { name: string }[];

  it('gets the programs that are switched on, and its calls are attributed', async () => {
    await start('scripted', {}, [web, { ...everything(mark.text), id: 'mcp:off', name: 'off', enabled: false }]);
    await turn(client, chat, '/servers');
    expect(await told()).toMatchObject([{ name: 'everything', args: [expect.any(String), 'stdio'] }]);
    await turn(client, chat, '/call mcp__everything__echo\n/call everything_echo\n/call echo');
    const [one, two, three] = await lastCalls();
    expect([one?.contributor, two?.contributor, three?.contributor]).toEqual([contributor, contributor, undefined]);
  });

  it('gets addresses as well when it can use them', async () => {
    await start('web', {}, [web]);
    await turn(client, chat, '/servers');
    const headers = [{ name: 'X-Key', value: 'k' }];
    expect(await told()).toMatchObject([
      { name: 'everything' },
      { type: 'http', name: 'web', url: 'http://127.0.0.1:1/mcp', headers },
    ]);
  });
});
