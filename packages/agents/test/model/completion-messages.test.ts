import type { ModelMessage } from 'ai';
import { expect, it } from 'vitest';
import { completionMessages } from '../../src/model/endpoint/completion-messages.js';
import { assistantMessage, callPart, resultPart } from '../../src/model/history/messages.js';

const sent = (...messages: ModelMessage[]) => completionMessages('', messages);

it('has the instructions first, if there are any', () => {
  const said = { role: 'user', content: 'hi' } as const;
  expect(completionMessages('Be brief.', [said])).toEqual([{ role: 'system', content: 'Be brief.' }, said]);
  expect(sent(said)).toEqual([said]);
});

it('sends a text alone as text, and with images as parts', () => {
  const text = { type: 'text', text: 'look' } as const;
  const image = { type: 'file', data: new Uint8Array([1, 2, 3]), mediaType: 'image/png' } as const;
  expect(sent({ role: 'user', content: [text] })).toEqual([{ role: 'user', content: 'look' }]);
  expect(sent({ role: 'user', content: [image, text] })).toEqual([
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } }, text] },
  ]);
});

it('sends calls with their results, one message for each, and no thoughts', () => {
  const content = [
    { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 's' } } } as const,
    { type: 'text', text: 'I look.' } as const,
    callPart('a', 'read', { path: 'x' }),
    callPart('b', 'list', 'no object'),
  ];
  const results = [resultPart('a', 'read', 'content'), resultPart('b', 'list', 'wrong', true)];
  expect(sent(assistantMessage(content), { role: 'tool', content: results })).toEqual([
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } },
        { id: 'b', type: 'function', function: { name: 'list', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'content' },
    { role: 'tool', tool_call_id: 'b', content: 'wrong' },
  ]);
});

it('sends calls without words with no content', () => {
  expect(sent(assistantMessage([callPart('a', 'list', {})]))).toMatchObject([{ content: null }]);
  expect(sent(assistantMessage([{ type: 'text', text: 'Done.' }]))).toEqual([{ role: 'assistant', content: 'Done.' }]);
});
