import type { AgentFiles } from '@moorage/host/ports';
import type { ResponsePart, ToolCallState, Turn } from '@moorage/protocol';
import { expect, it } from 'vitest';
import { Conversation } from '../../src/model/history/conversation.js';
import { exchangesOf } from '../../src/model/history/from-turns.js';

const NO_FILES = {} as AgentFiles; // nothing is attached here

const text = (content: string): ResponsePart => ({ kind: 'markdown', id: content, content });
const call = (toolCall: Partial<ToolCallState>): ResponsePart => ({
  kind: 'toolCall',
  toolCall: {
    toolCallId: 'a.b/c',
    toolName: 'read',
    displayName: 'Read',
    invocationMessage: 'Read',
    toolInput: '{"path":"a"}',
    ...toolCall,
  } as ToolCallState,
});
const done = (given: string) =>
  call({ status: 'completed', success: true, pastTenseMessage: 'Read', content: [{ type: 'text', text: given }] });

function turnOf(id: string, responseParts: ResponsePart[], more: Partial<Turn> = {}): Turn {
  return { id, message: { text: id, origin: { kind: 'user' } }, responseParts, state: 'complete', ...more };
}

/** Each message in short: its role and what it holds. */
async function told(...turns: Turn[]): Promise<unknown[]> {
  const exchanges = await exchangesOf(turns, NO_FILES);
  return exchanges.flatMap(({ messages }) =>
    messages.map(({ role, content }) => [
      role,
      ...(typeof content === 'string' ? [content] : content).map((part) => {
        if (typeof part === 'string') return part;
        if (part.type === 'tool-call') return `${part.toolCallId}:${part.toolName}${JSON.stringify(part.input)}`;
        if (part.type === 'tool-result') return `${part.toolCallId}=${'value' in part.output && part.output.value}`;
        return 'text' in part ? part.text : part.type;
      }),
    ]),
  );
}

it('gives back what was said and done, calls of one answer together', async () => {
  const parts = [text('I look.'), done('A'), done('B'), text('Then.'), done('C'), text('Done.')];
  expect(await told(turnOf('go', parts))).toEqual([
    ['user', 'go'],
    ['assistant', 'I look.', 'h0_0:read{"path":"a"}', 'h0_1:read{"path":"a"}'],
    ['tool', 'h0_0=A', 'h0_1=B'],
    ['assistant', 'Then.', 'h0_2:read{"path":"a"}'],
    ['tool', 'h0_2=C'],
    ['assistant', 'Done.'],
  ]);
});

it('says how calls and turns ended that did not come to their end', async () => {
  const parts = [
    call({ status: 'cancelled', reason: 'denied', reasonMessage: { markdown: 'no!' } }),
    call({ status: 'streaming', toolInput: undefined } as Partial<ToolCallState>),
    call({ status: 'completed', success: false, pastTenseMessage: 'x', error: { message: 'broken' }, toolInput: '{"' }),
  ];
  expect(await told(turnOf('a', parts, { state: 'cancelled' }))).toEqual([
    ['user', 'a'],
    ['assistant', 'h0_0:read{"path":"a"}', 'h0_1:read{}', 'h0_2:read{}'],
    ['tool', 'h0_0=Not done: no!.', 'h0_1=Not done: the turn ended before.', 'h0_2=Error: broken'],
    ['assistant', '[The user cancelled this turn here.]'],
  ]);
  const error = { errorType: 'x', message: 'it broke' };
  expect(await told(turnOf('b', [{ kind: 'error', error }], { state: 'error' }))).toEqual([
    ['user', 'b'],
    ['assistant', '[This turn ended with an error: it broke]'],
  ]);
});

it('takes a summary for the turns that it stands for, unless they are gone', async () => {
  const exchanges = await exchangesOf([turnOf('a', []), turnOf('b', []), turnOf('c', [])], NO_FILES);
  const folded = new Conversation(exchanges, { text: 'S', through: 'b' });
  expect(folded.exchanges.map(({ turnId }) => turnId)).toEqual(['c']);
  expect(JSON.stringify(folded.messages[0])).toContain('S');
  const rewound = new Conversation(exchanges.slice(0, 1), { text: 'S', through: 'b' });
  expect(rewound.summary).toBeUndefined();
  expect(rewound.exchanges).toHaveLength(1);
});
