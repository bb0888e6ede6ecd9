import { describe, expect, it } from 'vitest';
import { CompletionReader } from '../../src/model/endpoint/completion-reader.js';

const event = (delta: object, more: object = {}) => ({ choices: [{ index: 0, finish_reason: null, ...more, delta }] });
const content = (text: string) => event({ content: text });
const end = { type: 'text-end', id: '0' };
const finish = (finishReason: string, usage: object = {}) => {
  const totalUsage = { inputTokens: undefined, outputTokens: undefined, cachedInputTokens: undefined, ...usage };
  return { type: 'finish', finishReason, totalUsage: { ...totalUsage, totalTokens: undefined } };
};

describe('the events of a chat completion', () => {
  it('say in order what came together, pieces of one text as one', () => {
    const reader = new CompletionReader();
    const said = reader.read([
      event({ role: 'assistant', content: '' }),
      event({ reasoning_content: 'h' }),
      event({ reasoning: 'm' }),
      content('a'),
      content('b'),
      event({ content: 'c', reasoning_content: null, tool_calls: null }),
      event({ reasoning_content: 'again' }),
      content('d'),
    ]);
    expect(said).toEqual([
      { type: 'reasoning-delta', id: '0', text: 'hm' },
      { type: 'text-delta', id: '0', text: 'abc' },
      { type: 'reasoning-delta', id: '0', text: 'again' },
      { type: 'text-delta', id: '0', text: 'd' },
    ]);
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['tool_calls', 'tool-calls'],
    ['something else', 'unknown'],
  ])('end for the reason %s, and say what was used', (reason, finishReason) => {
    const reader = new CompletionReader();
    const usage = { prompt_tokens: 5, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } };
    reader.read([event({}, { finish_reason: reason }), { choices: [], usage }]);
    expect(reader.end()).toEqual([
      end,
      finish(finishReason, { inputTokens: 5, outputTokens: 3, cachedInputTokens: 2 }),
    ]);
  });

  it('may have the usage in the choice, or alone, or not at all', () => {
    const used = { prompt_tokens: 5, completion_tokens: 3 };
    const expected = [end, finish('unknown', { inputTokens: 5, outputTokens: 3 })];
    for (const said of [event({}, { usage: used }), { usage: used }]) {
      const reader = new CompletionReader();
      reader.read([said]);
      expect(reader.end()).toEqual(expected);
    }
    expect(new CompletionReader().end()).toEqual([end, finish('unknown')]);
  });

  it.each([
    [{ error: { message: 'no' } }],
    [{ error: 'no', choices: [] }],
    [{ message: 'no choices' }],
    ['text'],
    [null],
  ])('that tell of an error, or are none, are thrown (%o)', (wrong) => {
    expect(() => new CompletionReader().read([wrong])).toThrow();
  });

  it('may say that there is no error', () => {
    expect(new CompletionReader().read([{ ...content('x'), error: null }])).toHaveLength(1);
  });

  it('may come as one', () => {
    const reader = new CompletionReader();
    const message = { role: 'assistant', content: 'Hi', reasoning: 'Hm' };
    const said = reader.readWhole({ choices: [{ message, finish_reason: 'stop' }], usage: { prompt_tokens: 1 } });
    expect(said).toEqual([
      { type: 'reasoning-delta', id: '0', text: 'Hm' },
      { type: 'text-delta', id: '0', text: 'Hi' },
    ]);
    expect(reader.end().at(-1)).toEqual(finish('stop', { inputTokens: 1 }));
  });
});

describe('the calls of a chat completion', () => {
  /** Names and inputs of the calls, from pieces as servers send them. */
  function callsOf(...pieces: readonly (readonly object[])[]): unknown[] {
    const reader = new CompletionReader();
    reader.read(pieces.map((tool_calls) => event({ tool_calls })));
    return reader.end().flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, part.input]] : []));
  }
  const call = (name: string | undefined, input: unknown, more: object = {}) => ({
    ...more,
    function: { ...(name !== undefined && { name }), arguments: input },
  });

  it('come in pieces, also by turns', () => {
    const calls = callsOf(
      [call('read', '', { index: 0, id: 'a' }), call('list', '{', { index: 1, id: 'b' })],
      [call(undefined, '{"path":', { index: 0 })],
      [call(undefined, '}', { index: 1 }), call(undefined, '"x"}', { index: 0 })],
    );
    expect(calls).toEqual([
      ['read', { path: 'x' }],
      ['list', {}],
    ]);
  });

  it('come with their name and id in every piece', () => {
    const more = { index: 0, id: 'a' };
    expect(callsOf([call('read', '{"a":', more)], [call('read', '{"b":1}}', more)])).toEqual([
      ['read', { a: { b: 1 } }],
    ]);
    expect(callsOf([call('read', '{"a":', { index: 0 })], [call('read', '1}', { index: 0 })])).toEqual([
      ['read', { a: 1 }],
    ]);
  });

  it('come whole, with objects, without numbers and ids, or with the same number or id for all', () => {
    const expected = [
      ['read', { path: 'x' }],
      ['list', {}],
    ];
    for (const more of [{}, { index: 0, id: '' }, { index: 0 }, { id: 'same' }]) {
      expect(callsOf([call('read', { path: 'x' }, more)], [call('list', {}, more)])).toEqual(expected);
      expect(callsOf([call('read', '{"path":"x"}', more), call('list', '{}', more)])).toEqual(expected);
    }
    expect(
      callsOf([call('read', '{"path":', { index: 0, id: 'a' })], [call('list', '', { index: 0, id: 'b' })]),
    ).toEqual([
      ['read', undefined],
      ['list', {}],
    ]);
  });

  it('go on without a number', () => {
    expect(callsOf([call('read', '{"path"')], [call(undefined, ':"x"}')])).toEqual([['read', { path: 'x' }]]);
  });

  it('are told while they come, by ids of ours', () => {
    const reader = new CompletionReader();
    const one = { index: 0, id: 'same' };
    expect(reader.read([event({ tool_calls: [call('read', '', one)] })])).toEqual([
      { type: 'tool-input-start', id: 'call_0', toolName: 'read' },
    ]);
    expect(reader.read([event({ tool_calls: [call(undefined, '{}', one)] })])).toEqual([
      { type: 'tool-input-delta', id: 'call_0', delta: '{}' },
    ]);
    expect(reader.read([event({ tool_calls: [call('list', null, { index: 1, id: 'same' })] })])).toEqual([
      { type: 'tool-input-start', id: 'call_1', toolName: 'list' },
    ]);
  });

  it('must begin with a name', () => {
    expect(() => callsOf([call(undefined, '{}', { index: 0, id: 'a' })])).toThrow('without a name');
  });
});
