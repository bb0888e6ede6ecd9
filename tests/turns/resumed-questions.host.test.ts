import type { InputOutcome } from '@moorage/host';
import { openRequests } from '@moorage/protocol';
import { afterEach, expect, it } from 'vitest';
import { accepted, chatState, PATIENT, startTurn, turnEnd } from '../support/actions.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';

const question = (id: string) => ({
  id,
  message: id,
  questions: [{ id: 'text', kind: 'text' as const, message: 'What?' }],
});
const answer = (requestId: string, value: string) => ({
  type: 'chat/inputCompleted',
  requestId,
  response: 'accept',
  answers: { text: { state: 'submitted', value: { kind: 'text', value } } },
});

let host: TestHost;
afterEach(() => host.dispose());

it('a resumed agent that asks again gets the answers from before the restart, and asks only what is open', async () => {
  const heard: InputOutcome[][] = [];
  const agents = () => [
    testAgent({
      resumesTurns: true,
      prompt: async (turn) => {
        const outcomes: InputOutcome[] = [];
        heard.push(outcomes);
        for (const id of ['first', 'second', 'third']) outcomes.push(await turn.ask(question(id)));
        return undefined;
      },
    }),
  ];
  host = await TestHost.start({ agents });
  const client = await host.client();
  const { chat } = await host.session(client, { provider: 'test' });
  const turnId = startTurn(client, chat, 'ask me');
  await client.envelope(({ action }) => action.type === 'chat/inputRequested' && action.request.id === 'first');
  await accepted(client, chat, answer('first', 'tea'));
  await client.envelope(({ action }) => action.type === 'chat/inputRequested' && action.request.id === 'second');
  await accepted(client, chat, { type: 'chat/inputCompleted', requestId: 'second', response: 'decline' });
  await client.envelope(({ action }) => action.type === 'chat/inputRequested' && action.request.id === 'third');

  await host.restart();
  const after = await host.client();
  await after.subscribe(chat);
  await expect.poll(() => heard[1], PATIENT).toHaveLength(2);
  const { activeTurn } = await chatState(after, chat);
  expect(activeTurn?.responseParts.filter(({ kind }) => kind === 'inputRequest')).toHaveLength(3);
  expect(openRequests(await chatState(after, chat)).map(({ id }) => id)).toEqual(['third']);
  await accepted(after, chat, answer('third', 'milk'));
  expect(await turnEnd(after, chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
  expect(heard[1]).toMatchObject([
    { response: 'accept', answers: { text: { value: { value: 'tea' } } } },
    { response: 'decline' },
    { response: 'accept', answers: { text: { value: { value: 'milk' } } } },
  ]);
});
