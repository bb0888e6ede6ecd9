import { modelMessageSchema } from 'ai';
import { expect, it } from 'vitest';
import { assistantMessage, callPart, resultPart } from '../../src/model/history/messages.js';
import { areSavedMessages } from '../../src/model/history/saved-messages.js';
import { savableMessages } from '../../src/model/history/saved-state.js';

const image = { type: 'file', data: new Uint8Array([1]), mediaType: 'image/png' } as const;
const sealed = { type: 'reasoning', text: '', providerOptions: { openai: { itemId: 'r', encrypted: null } } } as const;

it('takes back what a step saves, which is what the SDK takes', () => {
  const saved: unknown = JSON.parse(
    JSON.stringify(
      savableMessages([
        { role: 'user', content: [image, { type: 'text', text: 'hi' }] },
        { role: 'user', content: 'Summary' },
        assistantMessage([sealed, { type: 'text', text: 'I look.' }, callPart('a', 'read', { path: 'x' })]),
        { role: 'tool', content: [resultPart('a', 'read', 'content'), resultPart('b', 'no', 'wrong', true)] },
      ]),
    ),
  );
  expect(areSavedMessages(saved)).toBe(true);
  expect(modelMessageSchema.array().safeParse(saved).success).toBe(true);
});

it.each([
  [{ role: 'narrator', content: 'x' }],
  [{ role: 'user', content: [{ type: 'video', url: 'x' }] }],
  [{ role: 'assistant', content: [{ type: 'tool-call', toolName: 'read', input: {} }] }],
  [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output: 'text' }] }],
  ['text'],
])('does not take what another version may have written (%o)', (message) => {
  expect(areSavedMessages([message])).toBe(false);
});
