import { type ModelAgentOptions, modelAgent } from '@moorage/agents/model';
import { type AgentInfo, errorOf, type RootState } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chatState, turn } from '../support/actions.js';
import { FakeModel } from '../support/fake-model.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let model: FakeModel;
let host: TestHost;
let client: WireClient;

beforeEach(async () => {
  model = await FakeModel.start();
});
afterEach(async () => {
  await host.dispose();
  await model.close();
});

async function start(options: Partial<ModelAgentOptions> = {}): Promise<void> {
  const { baseURL } = model;
  host = await TestHost.start({ agents: () => [modelAgent({ id: 'model', api: 'openai', baseURL, ...options })] });
  client = await host.client();
}

/** The agent as clients see it, as soon as it is as expected. */
async function agent(isExpected: (agent: AgentInfo) => boolean): Promise<AgentInfo> {
  const find = (agents: RootState['agents']) => agents.find((each) => each.provider === 'model' && isExpected(each));
  const now = find((await client.subscribe<RootState>('ahp-root://')).agents);
  if (now) return now;
  const changed = await client.envelope(
    ({ action }) => action.type === 'root/agentsChanged' && find(action.agents as AgentInfo[]) !== undefined,
  );
  return find((changed.action as unknown as RootState).agents) as AgentInfo;
}

it('offers what the endpoint lists when no model is configured, with the windows that it tells of', async () => {
  model.models = [{ id: 'qwen3:8b', max_model_len: 32_768 }, { id: 'gemma3', meta: { n_ctx: 4_096 } }, { id: 'x' }, {}];
  await start();
  const { models } = await agent((one) => one.models.length > 0);
  expect(models.map(({ id, maxContextWindow }) => [id, maxContextWindow])).toEqual([
    ['qwen3:8b', 32_768],
    ['gemma3', 4_096],
    ['x', undefined],
  ]);
  const { chat } = await host.session(client, { provider: 'model' });
  await turn(client, chat, 'hi');
  expect(model.requests[0]?.model).toBe('qwen3:8b');
});

it('names what there is when the endpoint does not have the configured model', async () => {
  model.models = [{ id: 'qwen3:latest' }, { id: 'gemma3:4b' }];
  await start({ models: ['qwen4'] });
  const { description, _meta } = await agent((one) => one.description.includes('qwen4'));
  expect(description).toMatch(/does not list "qwen4"\. It has: qwen3:latest, gemma3:4b\. Correct "models"/);
  expect(_meta).toEqual({ 'moorage.agentState': 'cannot be used' });
  model.queue({ status: 404, message: 'model not found' });
  const { chat } = await host.session(client, { provider: 'model' });
  await turn(client, chat, 'hi');
  const [last] = (await chatState(client, chat)).turns;
  expect(last && errorOf(last)?.message).toContain('It has: qwen3:latest, gemma3:4b.');
});

it('takes a name without a tag for the newest one, as ollama does', async () => {
  model.models = [{ id: 'qwen3:latest', context_length: 40_960 }];
  await start({ models: ['qwen3'] });
  const { description, models } = await agent((one) => one.models[0]?.maxContextWindow === 40_960);
  expect(models).toHaveLength(1);
  expect(description).toMatch(/^The built-in agent/);
});

it('says what to do when no model is configured and the endpoint lists none', async () => {
  await start();
  const { chat } = await host.session(client, { provider: 'model' });
  await turn(client, chat, 'hi');
  const [last] = (await chatState(client, chat)).turns;
  expect(last && errorOf(last)?.message).toMatch(/lists no models\. Check that it is running, or name one/);
  model.models = [{ id: 'late' }];
  await turn(client, chat, 'again');
  expect(model.requests.map((request) => request.model)).toEqual(['late']);
});
