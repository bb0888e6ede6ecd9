import type { ModelMessage } from 'ai';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ModelFailure } from '../../src/model/endpoint/failure.js';
import { Conversation } from '../../src/model/history/conversation.js';
import { fitConversation } from '../../src/model/history/fit.js';
import { assistantMessage, callPart, resultPart } from '../../src/model/history/messages.js';
import { messageTokens } from '../../src/model/history/tokens.js';

/** A turn: how long the user's message is, and the results of its steps. */
const turn = fc.record({ asked: fc.nat(20_000), results: fc.array(fc.nat(30_000), { maxLength: 6 }) });

function conversationOf(turns: readonly { asked: number; results: readonly number[] }[]): Conversation {
  const conversation = new Conversation();
  for (const [index, { asked, results }] of turns.entries()) {
    const { messages } = conversation.begin(`turn-${index}`);
    messages.push({ role: 'user', content: 'u'.repeat(asked) });
    for (const [step, chars] of results.entries()) {
      messages.push(assistantMessage([callPart(`s${index}_${step}`, 'read', { path: 'a' })]));
      messages.push({ role: 'tool', content: [resultPart(`s${index}_${step}`, 'read', 'r'.repeat(chars))] });
    }
  }
  return conversation;
}

/** Endpoints refuse a result without its call and a call without its result. */
function unpaired(messages: readonly ModelMessage[]): string[] {
  const open = new Set<string>();
  const problems: string[] = [];
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-call') open.add(part.toolCallId);
      if (part.type === 'tool-result' && !open.delete(part.toolCallId)) problems.push(part.toolCallId);
    }
  }
  return [...problems, ...open];
}

it('makes any conversation fit, or says that it cannot; calls keep their results, and what changes is said', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1_000, max: 20_000 }),
      fc.boolean(),
      async (turns, budget, canSummarise) => {
        const conversation = conversationOf(turns);
        const before = messageTokens(conversation.messages);
        const last = conversation.messages.at(-1);
        const notices: string[] = [];
        const summarise = async () => (canSummarise ? 'what happened' : undefined);
        const notify = (text: string) => void notices.push(text);
        try {
          await fitConversation(conversation, { budget, summarise, notify });
        } catch (error) {
          expect(error).toBeInstanceOf(ModelFailure);
          expect(messageTokens(conversation.messages)).toBeGreaterThan(budget);
          return;
        }
        expect(messageTokens(conversation.messages)).toBeLessThanOrEqual(budget);
        expect(unpaired(conversation.messages)).toEqual([]);
        expect(conversation.messages.at(-1)).toEqual(last);
        expect(notices.length > 0).toBe(before > budget);
      },
    ),
  );
});
