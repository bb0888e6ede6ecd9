import { expect, it } from 'vitest';
import { Replay } from '../../src/acp/chat/replay.js';

function turnsOf(...updates: [kind: 'user' | 'agent' | 'thought', text: string, messageId?: string][]) {
  const replay = new Replay();
  for (const [kind, text, messageId] of updates) {
    const sessionUpdate = kind === 'thought' ? 'agent_thought_chunk' : `${kind}_message_chunk`;
    replay.take({ sessionUpdate, content: { type: 'text', text }, ...(messageId && { messageId }) });
  }
  return replay.turns.map(({ message, answer }) => [message, answer]);
}

it('a message of the user begins a turn, and pieces of one message are joined', () => {
  expect(turnsOf(['user', 'Do '], ['user', 'it'], ['agent', 'Do'], ['agent', 'ne'], ['user', 'Again'])).toEqual([
    ['Do it', 'Done'],
    ['Again', ''],
  ]);
});

it('another message of the agent, or one after something else, is a paragraph of its own', () => {
  expect(turnsOf(['user', 'Go'], ['agent', 'One', 'a'], ['agent', 'Two', 'b'], ['agent', 'Three'])).toEqual([
    ['Go', 'One\n\nTwo\n\nThree'],
  ]);
  expect(turnsOf(['user', 'Go'], ['agent', 'One'], ['thought', 'hm'], ['agent', 'Two'])).toEqual([
    ['Go', 'One\n\nTwo'],
  ]);
});

it('words of the agent without a message are a turn, too, and what makes no sense is left out', () => {
  expect(turnsOf(['agent', 'Hello'])).toEqual([['', 'Hello']]);
  const replay = new Replay();
  replay.take({});
  replay.take({ sessionUpdate: 'user_message_chunk', content: 7 });
  expect(replay.turns).toEqual([{ message: '', answer: '' }]);
});

it('only the newest turns are kept, and so much of each', () => {
  const replay = new Replay();
  for (let count = 0; count < 1_200; count++) {
    replay.take({ sessionUpdate: 'user_message_chunk', content: { text: `${count}` } });
    replay.take({ sessionUpdate: 'agent_message_chunk', content: { text: 'x'.repeat(100_000) } });
  }
  expect(replay.turns).toHaveLength(500);
  const { message, answer } = replay.turns.at(-1) ?? {};
  expect([message, answer?.length]).toEqual(['1199', 64_000]);
});
