import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelAgentOptions, modelAgent, unconfiguredModelAgent } from '@moorage/agents/model';
import { errorOf, type RootState, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, chatState, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { FakeModel } from '../support/fake-model.js';
import { ManualClock } from '../support/manual-clock.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const KEY = 'secret-key-0123456789';

let model: FakeModel;
let host: TestHost;
let client: WireClient;
let watcher: WireClient;
let chat: string;
let session: string;

beforeEach(async () => {
  model = await FakeModel.start();
});
afterEach(async () => {
  await host.dispose();
  await model.close();
});

async function start(options: Partial<ModelAgentOptions> = {}): Promise<void> {
  const { baseURL } = model;
  const settings = {
    id: 'model',
    api: 'openai',
    baseURL,
    apiKey: KEY,
    apiKeyEnv: 'FAKE_KEY',
    models: ['small', 'big'],
  };
  const agents = () => [modelAgent({ ...(settings as ModelAgentOptions), ...options })];
  host = await TestHost.start({ agents, customizations: {} });
  client = await host.client();
  watcher = await host.client();
  ({ session, chat } = await host.session(client, { provider: 'model' }));
  await watcher.subscribe(chat);
}

/** What both clients see of the last turn, which must be the same. */
async function lastTurn() {
  const [one, other] = await Promise.all([chatState(client, chat), chatState(watcher, chat)]);
  expect(other.turns).toEqual(one.turns);
  const last = one.turns.at(-1);
  if (!last) throw new Error('there is no turn');
  return last;
}

describe.each(['openai', 'openai-responses', 'anthropic'] as const)('a conversation over the %s protocol', (api) => {
  it('has reasoning and text, and reports usage', async () => {
    await start({ api });
    model.queue({ think: 'Hm.', text: ['Hel', 'lo', '!'], usage: { input: 11, output: 7 } });
    await turn(client, chat, 'hi');
    const { state, responseParts, usage } = await lastTurn();
    expect(state).toBe('complete');
    expect(responseParts.map((part) => ('content' in part ? [part.kind, part.content] : part.kind))).toEqual([
      ['reasoning', 'Hm.'],
      ['markdown', 'Hello!'],
    ]);
    expect(usage).toEqual({ inputTokens: 11, outputTokens: 7, model: 'small' });
    const [request] = model.requests;
    expect(request?.api).toBe(api);
    expect(request?.key).toContain(KEY);
    expect(request?.messages).toEqual([{ role: 'user', text: 'hi' }]);
  });

  it('gives the model what was said before, also after a restart of the host', async () => {
    await start({ api });
    writeFileSync(join(host.workspace, 'a.txt'), 'content of a');
    model.queue({ text: ['I look.'], calls: [{ name: 'read', input: { path: 'a.txt' } }] }, { text: ['Seen.'] });
    await turn(client, chat, 'first');
    model.queue({ text: ['Two.'] });
    await turn(client, chat, 'second');
    const live = model.requests.at(-1)?.messages.map(({ role, text }) => [role, text]);
    const before = [
      ['user', 'first'],
      ['assistant', 'I look.<read>'],
      ['tool', 'content of a'],
      ['assistant', 'Seen.'],
      ['user', 'second'],
    ];
    expect(live).toEqual(before);
    await host.restart();
    client = await host.client();
    await client.subscribe(chat);
    model.queue({ text: ['Three.'] });
    await turn(client, chat, 'third');
    expect(model.requests).toHaveLength(4);
    const later = model.requests.at(-1)?.messages.map(({ role, text }) => [role, text]);
    expect(later).toEqual([...before, ['assistant', 'Two.'], ['user', 'third']]);
  });

  it('cancels while the model streams: the request ends at once, and what was said stays', async () => {
    await start({ api });
    model.queue({ text: ['So far'], hold: new Promise(() => {}) });
    const turnId = startTurn(client, chat, 'go');
    await client.envelope(({ action }) => action.type === 'chat/responsePart' && action.part.kind === 'markdown');
    client.dispatch(chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    await turnEnd(watcher, chat, turnId);
    await (await model.request(0)).aborted;
    const cancelled = await lastTurn();
    expect([cancelled.state, textOf(cancelled)]).toEqual(['cancelled', 'So far']);
    model.queue({ text: ['Again.'] });
    await turn(client, chat, 'more');
    expect(model.requests.at(-1)?.messages[1]?.text).toContain('So far');
  });
});

describe('when the endpoint fails', () => {
  it.each([
    [400, 'bad thing', 'modelRejected', /rejected the request \(400\).*bad thing/],
    [401, 'no key', 'modelUnauthorized', /refused the credentials \(401\).*FAKE_KEY/],
    [404, 'what?', 'modelNotFound', /does not know this model/],
  ])('%i ends the turn with a clear error', async (status, message, errorType, words) => {
    await start();
    model.queue({ status, message: `${message} ${KEY}` });
    await turn(client, chat, 'go');
    const ended = await lastTurn();
    const { state } = ended;
    const error = errorOf(ended);
    expect([state, error?.errorType]).toEqual(['error', errorType]);
    expect(error?.message).toMatch(words);
    expect(error?.message).not.toContain(KEY);
    expect(model.requests).toHaveLength(1);
    model.queue({ text: ['Fine now.'] });
    await turn(client, chat, 'again');
    expect(textOf(await lastTurn())).toBe('Fine now.');
  });

  it.each([
    [429, { 'retry-after': '7' }, 7_000],
    [500, {}, 1_000],
    [529, { 'retry-after-ms': '300' }, 300],
  ])('%i is tried again after the time that it asks for, and the user sees why', async (status, headers, delay) => {
    const clock = new ManualClock();
    await start({ clock });
    model.queue({ status, headers }, { text: ['Here.'] });
    const turnId = startTurn(client, chat, 'go');
    const notice = await watcher.envelope(
      ({ action }) => action.type === 'chat/responsePart' && action.part.kind === 'systemNotification',
    );
    expect(JSON.stringify(notice.action)).toContain(`Trying again in ${delay / 1000} s (try 2 of 5)`);
    clock.advance(delay - 1);
    await client.sync();
    expect(model.requests).toHaveLength(1);
    clock.advance(1);
    await turnEnd(client, chat, turnId);
    expect(textOf(await lastTurn())).toBe('Here.');
  });

  it('gives up after some tries', async () => {
    const clock = new ManualClock();
    await start({ clock });
    model.reply = () => ({ status: 503 });
    const turnId = startTurn(client, chat, 'go');
    for (let tried = 1; tried < 5; tried++) {
      await watcher.action(chat, 'chat/responsePart', tried);
      clock.advance(60_000);
    }
    await turnEnd(client, chat, turnId);
    const error = errorOf(await lastTurn());
    expect(error?.errorType).toBe('modelUnavailable');
    expect(error?.message).toMatch(/tried 5 times/);
    expect(model.requests).toHaveLength(5);
  });

  it('does not wait for longer than a user would, and a cancel ends the waiting', async () => {
    const clock = new ManualClock();
    await start({ clock });
    model.queue({ status: 429, headers: { 'retry-after': '3600' } });
    await turn(client, chat, 'go');
    expect(errorOf(await lastTurn())?.message).toMatch(/wait for 3600 s/);
    model.queue({ status: 429 });
    const turnId = startTurn(client, chat, 'go');
    await watcher.action(chat, 'chat/responsePart');
    client.dispatch(chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    await turnEnd(client, chat, turnId);
    expect((await lastTurn()).state).toBe('cancelled');
    expect(model.requests).toHaveLength(2);
  });

  it('says that an answer broke off, and keeps what came of it', async () => {
    await start();
    model.queue({ text: ['Half of'], cut: true });
    await turn(client, chat, 'go');
    const broken = await lastTurn();
    expect(textOf(broken)).toBe('Half of');
    expect(errorOf(broken)?.message).toMatch(/broke off/);
  });

  it('does not wait for ever for an endpoint that says nothing', async () => {
    const clock = new ManualClock();
    await start({ clock });
    model.queue({ hold: new Promise(() => {}) }, { text: ['Here.'] });
    const turnId = startTurn(client, chat, 'go');
    await model.request(0);
    const notices = () => JSON.stringify(watcher.actionsOn(chat).filter(({ type }) => type === 'chat/responsePart'));
    // What has come of the answer starts the waiting anew, so the time goes on until it is over.
    while (notices() === '[]') {
      clock.advance(5 * 60_000);
      await watcher.sync();
    }
    expect(notices()).toContain('said nothing for 5 minutes');
    await (await model.request(0)).aborted;
    clock.advance(1_000);
    await turnEnd(client, chat, turnId);
    expect(textOf(await lastTurn())).toBe('Here.');
  });

  it('takes the word of an endpoint that the conversation is too long', async () => {
    await start();
    model.reply = ({ system }) => ({ text: [system.startsWith('Summarise') ? 'THE SUMMARY' : 'ok'] });
    for (const text of ['one', 'two']) await turn(client, chat, `${text} ${'x'.repeat(20_000)}`);
    model.queue({ status: 400, message: 'maximum context length is 8192 tokens' });
    await turn(client, chat, 'three');
    const { state, responseParts } = await lastTurn();
    expect(state).toBe('complete');
    expect(JSON.stringify(responseParts)).toContain('context window is full');
    expect(model.requests.at(-1)?.messages[0]?.text).toContain('THE SUMMARY');
  });

  it('says that an answer was cut off at its most', async () => {
    await start();
    model.queue({ text: ['Long'], finish: 'length' });
    await turn(client, chat, 'go');
    expect(JSON.stringify((await lastTurn()).responseParts)).toContain('The answer was cut off');
  });

  it('says where nobody answers', async () => {
    const clock = new ManualClock();
    const gone = await FakeModel.start();
    const { baseURL } = gone;
    await gone.close();
    await start({ clock, baseURL });
    const turnId = startTurn(client, chat, 'go');
    for (let tried = 1; tried < 5; tried++) {
      await watcher.action(chat, 'chat/responsePart', tried);
      clock.advance(60_000);
    }
    await turnEnd(client, chat, turnId);
    expect(errorOf(await lastTurn())?.message).toMatch(/127\.0\.0\.1:\d+ failed \(ECONNREFUSED\)/);
  });
});

it('gives signed reasoning back to the endpoint that signed it, and takes an empty end for what it is', async () => {
  await start({ api: 'anthropic' });
  model.queue({ think: 'Hm.', text: ['\n'], calls: [{ name: 'list', input: {} }] }, { text: [] });
  await turn(client, chat, 'go');
  expect((await lastTurn()).state).toBe('complete');
  expect(model.requests[1]?.messages.map(({ text }) => text)).toEqual(['go', '(signed)<list>', '(empty)']);
  model.queue({ calls: [{ name: 'list', input: {} }] });
  await turn(client, chat, 'once more');
  expect(textOf(await lastTurn())).toBe('Hello from the fake model.');
});

it('goes nowhere else, even if the endpoint says so', async () => {
  await start();
  const other = await FakeModel.start();
  model.queue({ status: 307, headers: { location: `${other.baseURL}/chat/completions` } });
  await turn(client, chat, 'go');
  expect(errorOf(await lastTurn())?.message).toMatch(/redirects us \(307\).*baseURL/);
  expect(other.requests).toEqual([]);
  await other.close();
});

it('asks again for an answer that is empty from the start', async () => {
  const clock = new ManualClock();
  await start({ clock });
  model.queue({ text: [] }, { text: ['Here.'] });
  const turnId = startTurn(client, chat, 'go');
  await watcher.action(chat, 'chat/responsePart');
  clock.advance(1_000);
  await turnEnd(client, chat, turnId);
  expect(textOf(await lastTurn())).toBe('Here.');
});

it('forgets what was cut from the chat', async () => {
  await start();
  const first = await turn(client, chat, 'first');
  await turn(client, chat, 'second');
  await accepted(client, chat, { type: 'chat/truncated', turnId: first });
  await turn(client, chat, 'third');
  const hello = 'Hello from the fake model.';
  expect(model.requests.at(-1)?.messages.map(({ text }) => text)).toEqual(['first', hello, 'third']);
});

it('uses the model that the draft names', async () => {
  await start();
  await accepted(client, chat, { type: 'chat/draftChanged', draft: { ...userMessage(''), model: { id: 'big' } } });
  await turn(client, chat, 'hi');
  expect(model.requests[0]?.model).toBe('big');
});

it('lets the model name a new session, once', async () => {
  await start();
  model.queue({ calls: [{ name: 'set_title', input: { title: 'A  fine\ntitle' } }] }, { text: ['Hi.'] });
  await turn(client, chat, 'hello there');
  expect((await client.subscribe<SessionState>(session)).title).toBe('A fine title');
  expect(model.requests[0]?.tools).toContain('set_title');
  await turn(client, chat, 'and more');
  expect(model.requests.at(-1)?.tools).not.toContain('set_title');
});

it('summarises old turns when the context window is full, says so, and remembers it across a restart', async () => {
  await start({ contextWindow: 8_000 });
  model.reply = ({ system }) => ({ text: [system.startsWith('Summarise') ? 'THE SUMMARY' : 'ok'] });
  for (const text of ['one', 'two', 'three']) await turn(client, chat, `${text} ${'x'.repeat(6_000)}`);
  const { responseParts } = await lastTurn();
  expect(JSON.stringify(responseParts)).toMatch(/context window is full: the .*oldest turn.* summarised/);
  expect(model.requests.at(-1)?.messages[0]?.text).toContain('THE SUMMARY');
  await host.restart();
  client = await host.client();
  await client.subscribe(chat);
  const asked = model.requests.length;
  await turn(client, chat, 'four');
  expect(model.requests).toHaveLength(asked + 1);
  expect(model.requests.at(-1)?.messages[0]?.text).toContain('THE SUMMARY');
  expect(model.requests.at(-1)?.messages.some(({ text }) => text.startsWith('one x'))).toBe(false);
});

it('tells the model what the workspace asks of agents, and shows it attached images and files', async () => {
  await start({ api: 'anthropic' });
  writeFileSync(join(host.workspace, 'AGENTS.md'), 'Always use tabs.');
  writeFileSync(join(host.workspace, 'notes.txt'), 'some notes');
  const attachments = [
    { type: 'embeddedResource', label: 'shot', contentType: 'image/png', data: Buffer.from('png').toString('base64') },
    { type: 'resource', label: 'notes.txt', uri: `${host.workspaceUri}/notes.txt` },
    { type: 'resource', label: 'secret', uri: 'file:///etc/passwd' },
  ];
  const message = { text: 'look', origin: { kind: 'user' }, attachments };
  client.dispatch(chat, {
    type: 'chat/turnStarted',
    startedAt: '2026-01-01T00:00:00.000Z',
    turnId: 'with-image',
    message,
  });
  await turnEnd(client, chat, 'with-image');
  const { system, messages } = await model.request(0);
  expect(system).toContain('Always use tabs.');
  expect(messages[0]?.text).toContain('[image/png]');
  expect(messages[0]?.text).toContain('some notes');
  expect(messages[0]?.text).toContain('outside the session');
  expect(messages[0]?.text).not.toContain('root:');
});

it('gives a model with a small context window as much of the rules as it has room for', async () => {
  await start({ contextWindow: 4_096 });
  writeFileSync(join(host.workspace, 'AGENTS.md'), `Always use tabs. ${'Be careful. '.repeat(2_000)}`);
  await turn(client, chat, 'hi');
  const { system } = await model.request(0);
  expect(system).toContain('Always use tabs.');
  expect(system.length).toBeLessThan(3_000);
});

it('says how to configure a model when there is none', async () => {
  host = await TestHost.start({ agents: [unconfiguredModelAgent()] });
  client = watcher = await host.client();
  const { agents } = await client.subscribe<RootState>('ahp-root://');
  expect(agents[0]).toMatchObject({ provider: 'model', models: [] });
  expect(agents[0]?.description).toMatch(/No model is configured\. Add one under "agents"/);
  ({ chat } = await host.session(client, { provider: 'model' }));
  await turn(client, chat, 'hi');
  const error = errorOf(await lastTurn());
  expect(error).toEqual({ errorType: 'modelNotConfigured', message: agents[0]?.description });
});
