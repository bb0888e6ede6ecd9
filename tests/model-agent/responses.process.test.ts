import { expect, it } from 'vitest';
import { callsOf, endedIn, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { useModelAgent } from '../support/model-agent-rig.js';

/** What is particular to OpenAI's responses protocol; the endpoint refuses what the real one would (`problemOf`). */
const rig = useModelAgent({ api: 'openai-responses', models: ['gpt-5.5'] });

it('runs several calls of one answer, and gives the sealed reasoning back with their results', async () => {
  rig.write('a.txt', 'content of a');
  rig.write('b.txt', 'content of b');
  const read = (path: string) => ({ name: 'read', input: { path } });
  rig.model.queue(
    { think: 'Two files.', text: ['I look.'], calls: [read('a.txt'), read('b.txt')], usage: { input: 20, output: 3 } },
    { think: 'Now I know.', text: ['Seen ', 'both.'], usage: { input: 30, output: 4 } },
  );
  await turn(rig.client, rig.chat, 'look at both');
  const { state, responseParts, usage } = await rig.lastTurn();
  expect(state).toBe('complete');
  expect(callsOf(responseParts)).toMatchObject([
    { status: 'completed', success: true, _meta: { 'moorage.readOnlyHint': true } },
    { status: 'completed', success: true },
  ]);
  expect(responseParts.flatMap((part) => (part.kind === 'reasoning' ? [part.content] : []))).toEqual([
    'Two files.',
    'Now I know.',
  ]);
  expect(usage).toEqual({ inputTokens: 50, outputTokens: 7, model: 'gpt-5.5' });
  expect(rig.model.requests[1]?.messages.map(({ text }) => text)).toEqual([
    'look at both',
    '(sealed-reasoning)I look.<read><read>',
    'content of a',
    'content of b',
  ]);
  rig.model.queue({ text: ['Yes.'] });
  await turn(rig.client, rig.chat, 'and on');
  expect(rig.model.requests.at(-1)?.messages.at(-2)?.text).toBe('(sealed-reasoning)Seen both.');
});

it('shows the model images', async () => {
  const data = Buffer.from('png').toString('base64');
  const attachments = [{ type: 'embeddedResource', label: 'shot', contentType: 'image/png', data }];
  const message = { text: 'what is this?', origin: { kind: 'user' }, attachments };
  rig.client.dispatch(rig.chat, {
    type: 'chat/turnStarted',
    startedAt: '2026-01-01T00:00:00.000Z',
    turnId: 'with-image',
    message,
  });
  await turnEnd(rig.client, rig.chat, 'with-image');
  expect(rig.model.requests[0]?.messages[0]?.text).toContain('[image/png]');
});

it('says that an answer was cut off', async () => {
  rig.model.queue({ text: ['Long'], finish: 'length' });
  await turn(rig.client, rig.chat, 'go');
  expect(JSON.stringify(await rig.lastTurn())).toContain('The answer was cut off');
});

it('says what a response failed for, and tries again what may pass', async () => {
  const clock = new ManualClock();
  await rig.restart({ clock });
  const message = 'The server had an error.';
  rig.model.queue({ fail: { message, code: 'server_error' } }, { text: ['Here.'] });
  const turnId = startTurn(rig.client, rig.chat, 'go');
  const notice = await rig.watcher.envelope(
    ({ action }) => action.type === 'chat/responsePart' && action.part.kind === 'systemNotification',
  );
  expect(JSON.stringify(notice.action)).toMatch(/The server had an error.*Trying again in 1 s/);
  clock.advance(1_000);
  await turnEnd(rig.client, rig.chat, turnId);
  expect(textOf(await rig.lastTurn())).toBe('Here.');
  rig.model.queue({ fail: { message: 'This was flagged.', code: 'invalid_prompt' } });
  await turn(rig.client, rig.chat, 'bad');
  expect(await rig.lastTurn()).toMatchObject({
    ...endedIn({ message: expect.stringContaining('This was flagged.') }),
  });
});

it('sends no header for a key that nobody configured, whatever the environment holds', async () => {
  process.env.OPENAI_API_KEY = 'somebody-elses';
  try {
    await turn(rig.client, rig.chat, 'hi');
    expect(rig.model.requests[0]?.key).toBeUndefined();
  } finally {
    delete process.env.OPENAI_API_KEY;
  }
});
