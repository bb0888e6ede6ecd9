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
