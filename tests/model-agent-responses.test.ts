import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelAgentOptions, modelAgent } from '@ahpd/agents/model';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callsOf, chatState, startTurn, textOf, turn, turnEnd } from './support/actions.js';
import { FakeModel } from './support/fake-model.js';
import { ManualClock } from './support/manual-clock.js';
import { TestHost } from './support/test-host.js';
import type { WireClient } from './support/wire-client.js';

/** What is particular to OpenAI's responses protocol; the endpoint refuses what the real one would (`problemOf`). */
let model: FakeModel;
let host: TestHost;
let client: WireClient;
let watcher: WireClient;
let chat: string;

beforeEach(async () => {
  model = await FakeModel.start();
});
afterEach(async () => {
  await host.dispose();
  await model.close();
});

async function start(options: Partial<ModelAgentOptions> = {}): Promise<void> {
  const { baseURL } = model;
  const agents = () => [modelAgent({ id: 'model', api: 'openai-responses', baseURL, models: ['gpt-5.5'], ...options })];
  host = await TestHost.start({ agents });
  client = await host.client();
  watcher = await host.client();
  ({ chat } = await host.session(client, { provider: 'model' }));
  await watcher.subscribe(chat);
}

async function lastTurn() {
  const [one, other] = await Promise.all([chatState(client, chat), chatState(watcher, chat)]);
  expect(other.turns).toEqual(one.turns);
  return one.turns.at(-1);
}

it('runs several calls of one answer, and gives the sealed reasoning back with their results', async () => {
  await start();
  writeFileSync(join(host.workspace, 'a.txt'), 'content of a');
  writeFileSync(join(host.workspace, 'b.txt'), 'content of b');
  const read = (path: string) => ({ name: 'read', input: { path } });
  model.queue(
    { think: 'Two files.', text: ['I look.'], calls: [read('a.txt'), read('b.txt')], usage: { input: 20, output: 3 } },
    { think: 'Now I know.', text: ['Seen ', 'both.'], usage: { input: 30, output: 4 } },
  );
  await turn(client, chat, 'look at both');
  const { state, responseParts, usage } = (await lastTurn()) ?? {};
  expect(state).toBe('complete');
  expect(callsOf(responseParts)).toMatchObject([
    { status: 'completed', success: true, _meta: { readOnlyHint: true } },
    { status: 'completed', success: true },
  ]);
  expect(responseParts?.flatMap((part) => (part.kind === 'reasoning' ? [part.content] : []))).toEqual([
    'Two files.',
    'Now I know.',
  ]);
  expect(usage).toEqual({ inputTokens: 50, outputTokens: 7, model: 'gpt-5.5' });
  expect(model.requests[1]?.messages.map(({ text }) => text)).toEqual([
    'look at both',
    '(sealed-reasoning)I look.<read><read>',
    'content of a',
    'content of b',
  ]);
  model.queue({ text: ['Yes.'] });
  await turn(client, chat, 'and on');
  expect(model.requests.at(-1)?.messages.at(-2)?.text).toBe('(sealed-reasoning)Seen both.');
});

it('shows the model images', async () => {
  await start();
  const data = Buffer.from('png').toString('base64');
  const attachments = [{ type: 'embeddedResource', label: 'shot', contentType: 'image/png', data }];
  const message = { text: 'what is this?', origin: { kind: 'user' }, attachments };
  client.dispatch(chat, { type: 'chat/turnStarted', turnId: 'with-image', message });
  await turnEnd(client, chat, 'with-image');
  expect(model.requests[0]?.messages[0]?.text).toContain('[image/png]');
});

it('says that an answer was cut off', async () => {
  await start();
  model.queue({ text: ['Long'], finish: 'length' });
  await turn(client, chat, 'go');
  expect(JSON.stringify(await lastTurn())).toContain('The answer was cut off');
});

it('says what a response failed for, and tries again what may pass', async () => {
  const clock = new ManualClock();
  await start({ clock });
  const message = 'The server had an error.';
  model.queue({ fail: { message, code: 'server_error' } }, { text: ['Here.'] });
  const turnId = startTurn(client, chat, 'go');
  const notice = await watcher.envelope(
    ({ action }) => action.type === 'chat/responsePart' && action.part.kind === 'systemNotification',
  );
  expect(JSON.stringify(notice.action)).toMatch(/The server had an error.*Trying again in 1 s/);
  clock.advance(1_000);
  await turnEnd(client, chat, turnId);
  expect(textOf(await lastTurn())).toBe('Here.');
  model.queue({ fail: { message: 'This was flagged.', code: 'invalid_prompt' } });
  await turn(client, chat, 'bad');
  expect(await lastTurn()).toMatchObject({
    state: 'error',
    error: { message: expect.stringContaining('This was flagged.') },
  });
});

it('sends no header for a key that nobody configured, whatever the environment holds', async () => {
  process.env.OPENAI_API_KEY = 'somebody-elses';
  try {
    await start();
    await turn(client, chat, 'hi');
    expect(model.requests[0]?.key).toBeUndefined();
  } finally {
    delete process.env.OPENAI_API_KEY;
  }
});
