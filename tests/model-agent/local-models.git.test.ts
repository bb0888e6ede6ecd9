import { describe, expect, it } from 'vitest';
import { callsOf, textOf, turn } from '../support/actions.js';
import type { FakeReply } from '../support/fake-model.js';
import { useModelAgent } from '../support/model-agent-rig.js';

const rig = useModelAgent();

it('shows what a model writes between <think> tags as reasoning, and does not send it back', async () => {
  rig.model.queue({ text: ['<th', 'ink>Let me', ' see.</thi', 'nk>\n\nIt is', ' done.'] });
  await turn(rig.client, rig.chat, 'hi');
  const { responseParts } = await rig.lastTurn();
  expect(responseParts.map((part) => ('content' in part ? [part.kind, part.content] : part.kind))).toEqual([
    ['reasoning', 'Let me see.'],
    ['markdown', 'It is done.'],
  ]);
  await turn(rig.client, rig.chat, 'and now?');
  expect(rig.model.requests.at(-1)?.messages[1]).toEqual({ role: 'assistant', text: 'It is done.' });
});

const read = { name: 'read', input: { path: 'kept.txt' } };
const list = { name: 'list', input: {} };

describe.each<[string, Partial<FakeReply>]>([
  ['comes whole instead of as a stream', { whole: true }],
  ['has calls with objects as arguments, without numbers and ids', { plainCalls: true }],
])('an answer that %s', (_, how) => {
  it('is understood: its words, its calls and what it used', async () => {
    rig.model.queue(
      { ...how, think: 'Hm.', text: ['I look.'], calls: [read, list], usage: { input: 20, output: 4 } },
      { ...how, text: ['Three lines.'], usage: { input: 30, output: 3 } },
    );
    await turn(rig.client, rig.chat, 'how long is kept.txt?');
    expect(rig.model.requests.at(-1)?.results).toEqual(['one\ntwo\nthree\n', expect.stringContaining('kept.txt')]);
    const last = await rig.lastTurn();
    expect(last.state).toBe('complete');
    expect(callsOf(last.responseParts).map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(textOf(last)).toBe('I look.Three lines.');
    expect(last.usage).toMatchObject({ inputTokens: 50, outputTokens: 7 });
  });
});

it('passes an error on that an endpoint sends as if all were well', async () => {
  rig.model.reply = () => ({ status: 200, message: 'nothing here' });
  await turn(rig.client, rig.chat, 'hi');
  const { state, responseParts } = await rig.lastTurn();
  expect(state).toBe('error');
  expect(JSON.stringify(responseParts)).toContain('nothing here');
});

it('lets a model talk that cannot use tools, says so once, and what to do', async () => {
  const refused = 'registry.ollama.ai/library/gemma:2b does not support tools';
  rig.model.reply = ({ tools }) => (tools.length > 0 ? { status: 400, message: refused } : { text: ['I can talk.'] });
  await turn(rig.client, rig.chat, 'hi');
  const first = await rig.lastTurn();
  expect(first.state).toBe('complete');
  expect(textOf(first)).toContain('I can talk.');
  expect(JSON.stringify(first.responseParts)).toMatch(/cannot use tools.*choose a model with tools/);
  expect(rig.model.requests.at(-1)?.system).toContain('You have no tools');
  await turn(rig.client, rig.chat, 'and again');
  expect(rig.model.requests).toHaveLength(3);
  expect(JSON.stringify((await rig.lastTurn()).responseParts)).not.toContain('cannot use tools');
});

it('shows a plan as a list that people can read', async () => {
  const steps = [
    { step: 'Read', status: 'completed' },
    { step: 'Write', status: 'in_progress' },
    { step: 'Test', status: 'pending' },
  ];
  const results = await rig.results({ name: 'plan', input: { steps } });
  expect(results).toEqual(['The user sees the plan.']);
  const [plan] = callsOf((await rig.lastTurn()).responseParts);
  expect(plan).toMatchObject({
    status: 'completed',
    displayName: 'Plan',
    pastTenseMessage: 'Plan: 1 of 3 done',
    content: [{ type: 'text', text: '- [x] Read\n- [ ] (now) Write\n- [ ] Test' }],
  });
});

describe('a model with a window of 4,096 tokens', () => {
  const small = useModelAgent({ contextWindow: 4_096 });

  it('gets a short prompt, few tools and short results, and finishes a task that needs several', async () => {
    small.write('long.txt', 'a line of text\n'.repeat(2_000));
    const read = { name: 'read', input: { path: 'long.txt' } };
    small.model.queue({ calls: [read] }, { calls: [read] }, { calls: [read] }, { text: ['Done.'] });
    await turn(small.client, small.chat, 'read it three times');
    expect((await small.lastTurn()).state).toBe('complete');
    const sizes = small.model.requests.map(({ system, messages }) => {
      return (system + messages.map(({ text }) => text).join('')).length / 3.5;
    });
    expect(Math.max(...sizes)).toBeLessThan(3_072); // a quarter is left for the answer
    const [request] = small.model.requests;
    expect(request?.tools.toSorted()).toEqual(['edit', 'grep', 'list', 'read', 'run', 'write']);
  });
});

describe('the gauge', () => {
  const gauge = useModelAgent({ contextWindow: 20_000, price: { input: 2, output: 10, currency: 'EUR' } });
  const shown = async () => (await gauge.lastTurn()).usage?._meta?.['moorage.context'];

  it('shows how full the window is and what the chat has cost, also after a restart', async () => {
    const read = { name: 'read', input: { path: 'kept.txt' } };
    gauge.model.queue({ calls: [read], usage: { input: 1_000, output: 100 } });
    gauge.model.queue({ text: ['Done.'], usage: { input: 2_000, output: 200 } });
    await turn(gauge.client, gauge.chat, 'read it');
    expect((await gauge.lastTurn()).usage).toMatchObject({ inputTokens: 3_000, outputTokens: 300 });
    expect(await shown()).toEqual({ used: 2_200, size: 20_000, cost: { amount: 0.009, currency: 'EUR' } });
    await gauge.restart();
    gauge.model.queue({ text: ['Hi.'], usage: { input: 3_000, output: 100 } });
    await turn(gauge.client, gauge.chat, 'hi');
    expect(await shown()).toEqual({
      used: 3_100,
      size: 20_000,
      cost: { amount: expect.closeTo(0.016), currency: 'EUR' },
    });
  });
});
