import { expect, it } from 'vitest';
import { Conversation } from '../../src/model/history/conversation.js';
import { fitConversation } from '../../src/model/history/fit.js';
import { assistantMessage, callPart, resultPart } from '../../src/model/history/messages.js';
import { messageTokens } from '../../src/model/history/tokens.js';

const BUDGET = 6_000;
const TURNS = 200;

/** A turn in which the model reads a lot, tries an edit that fails and makes one that works. */
function take(conversation: Conversation, number: number): void {
  const { messages, prefix } = conversation.begin(`turn-${number}`);
  const wish = number === 0 ? 'Never touch the file LICENSE. Port the parser to Rust.' : `Go on with part ${number}.`;
  const call = (name: string, input: object, result: string, isError = false) => {
    const id = `${prefix}${messages.length}`;
    messages.push(assistantMessage([callPart(id, name, input)]));
    messages.push({ role: 'tool', content: [resultPart(id, name, result, isError)] });
  };
  messages.push({ role: 'user', content: wish });
  call('read', { path: `src/${number}.ts` }, 'x'.repeat(4_000));
  call('edit', { path: `denied-${number}.ts` }, 'The user denied this call.', true);
  if (number % 10 === 0) call('plan', { steps: [{ step: `part ${number + 1}`, status: 'pending' }] }, 'ok');
  call(number === 7 ? 'delete' : 'write', { path: `part-${number % 40}.rs` }, 'Done.');
  messages.push(assistantMessage([{ type: 'text', text: 'Done.' }]));
}

it.each([
  ['a model that forgets everything in its summaries', async () => 'Things happened.'],
  ['a model that cannot summarise', async () => undefined],
])('keeps what the user asked first, what was changed and the plan over 200 turns of %s', async (_, summarise) => {
  const conversation = new Conversation();
  for (let number = 0; number < TURNS; number++) {
    take(conversation, number);
    await fitConversation(conversation, { budget: BUDGET, summarise, notify: () => {} });
    expect(messageTokens(conversation.messages)).toBeLessThanOrEqual(BUDGET);
  }
  const told = JSON.stringify(conversation.messages);
  expect(told).toContain('Never touch the file LICENSE.');
  expect(told).toContain('Go on with part 190.');
  expect(told).toContain('wrote part-7.rs'); // it was deleted first and written again later
  expect(told).toContain('part 191');
  const [summary] = conversation.messages;
  expect(JSON.stringify(summary)).not.toContain('edited denied-');
});

it('keeps what it kept across a restart, and forgets it with the turns that are cut from the chat', async () => {
  const conversation = new Conversation();
  for (let number = 0; number < 6; number++) take(conversation, number);
  const exchanges = [...conversation.exchanges];
  await fitConversation(conversation, { budget: BUDGET, summarise: async () => 'Things happened.', notify: () => {} });
  const saved = JSON.parse(JSON.stringify(conversation.summary));
  expect(JSON.stringify(new Conversation(exchanges, saved).messages)).toContain('Never touch the file LICENSE.');
  expect(new Conversation(exchanges.slice(0, 1), saved).summary).toBeUndefined();
});
