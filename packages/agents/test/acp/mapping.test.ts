import type { AgentEvent } from '@moorage/host/ports';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elicitationAnswer, inputRequest } from '../../src/acp/mapping/elicitation.js';
import { outcomeOf, stopNotice } from '../../src/acp/mapping/outcome.js';
import { permissionOutcome } from '../../src/acp/mapping/permission.js';
import { TurnMapper } from '../../src/acp/mapping/turn-mapper.js';
import { readSettings } from '../../src/acp/settings.js';
import { FakeTurn } from '../demo/support/fake-turn.js';

function mapper(): TurnMapper {
  return new TurnMapper({
    storeContent: (content) => ({ uri: `content:${content.length}` }),
    terminal: () => undefined,
    mcp: { servers: [{ id: 'mcp:everything', name: 'everything' }], tools: [{ server: 'everything', name: 'echo' }] },
    workingDirectory: '/work',
  });
}

const ids = fc.constantFrom('a', 'b', 'c');
const texts = fc.string({ maxLength: 8 });
const diff = fc.record({ type: fc.constant('diff'), path: texts, oldText: fc.option(texts), newText: texts });
const block = fc.record({
  type: fc.constant('content'),
  content: fc.record({ type: fc.constant('text'), text: texts }),
});
const sensible = fc.oneof(
  fc.record({
    sessionUpdate: fc.constantFrom('tool_call', 'tool_call_update'),
    toolCallId: ids,
    title: texts,
    status: fc.constantFrom('pending', 'in_progress', 'completed', 'failed', undefined),
    kind: fc.constantFrom('edit', 'execute', 'other'),
    content: fc.option(fc.array(fc.oneof(diff, block), { maxLength: 3 }), { nil: undefined }),
    rawInput: fc.option(fc.record({ x: texts }), { nil: undefined }),
  }),
  fc.record({
    sessionUpdate: fc.constantFrom('agent_message_chunk', 'agent_thought_chunk'),
    messageId: fc.option(ids, { nil: undefined }),
    content: fc.record({ type: fc.constant('text'), text: texts }),
  }),
  fc.record({
    sessionUpdate: fc.constant('plan'),
    entries: fc.array(fc.record({ content: texts, status: fc.constantFrom('pending', 'completed') }), { maxLength: 3 }),
  }),
);
/** Members with the names that are looked at, and anything as their values. */
const strange = fc.dictionary(
  fc.constantFrom('sessionUpdate', 'toolCallId', 'title', 'status', 'content', 'rawInput', 'entries', '_meta', 'cost'),
  fc.oneof(fc.jsonValue(), fc.constantFrom('tool_call', 'tool_call_update', 'plan', 'usage_update', 'completed')),
);

describe('the mapper', () => {
  it('keeps to the port whatever the order of reports, questions and answers, and leaves nothing open', () => {
    const step = fc.oneof(
      fc.record({ update: fc.oneof({ weight: 4, arbitrary: sensible }, strange) }),
      fc.record({ ask: ids, approved: fc.boolean() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const turn = new FakeTurn('');
        const map = mapper();
        const emit = (events: readonly AgentEvent[]) => {
          for (const event of events) turn.emit(event);
        };
        for (const one of steps) {
          if ('update' in one) emit(map.update(one.update));
          else {
            const question = map.permission({ toolCall: { toolCallId: one.ask }, options: [] });
            if (!question) continue;
            emit(question.events);
            // The host starts and re-opens calls by itself; the fake turn knows only the plain way.
            turn.calls.set(question.confirmation.toolCallId, one.approved ? 'running' : 'denied');
            question.call.decided(one.approved);
          }
        }
        emit(map.end('complete', {}));
        turn.end({ kind: 'complete' });
        expect(turn.violations).toEqual([]);
      }),
    );
  });

  it('and the others never fail on nonsense', () => {
    const anything = fc.anything({ withNullPrototype: true });
    fc.assert(
      fc.property(anything, strange, (value, fields) => {
        for (const report of [value, fields, { toolCall: value, options: value }, { configOptions: [value, fields] }]) {
          const map = mapper();
          map.update(report);
          map.permission(report);
          map.end('failed', report);
          inputRequest('id', report);
          inputRequest('id', { requestedSchema: { properties: { one: value, two: fields } } });
          readSettings(report);
          outcomeOf(report, false);
          stopNotice(report);
          permissionOutcome({ approved: true }, report);
        }
      }),
    );
  });
});

describe('a decision', () => {
  const options = [
    { optionId: 'forever', kind: 'allow_always' },
    { optionId: 'once', kind: 'allow_once' },
    { optionId: 'no', kind: 'reject_once' },
  ];
  it.each([
    ['yes takes what binds least', { approved: true } as const, 'once'],
    ['no', { approved: false, reason: 'denied' } as const, 'no'],
    ['a choice', { approved: true, option: { id: 'forever', label: '', kind: 'approve' } } as const, 'forever'],
  ])('%s', (_what, decision, optionId) => {
    expect(permissionOutcome(decision, options)).toEqual({ outcome: 'selected', optionId });
  });

  it('that nobody made, or that was not offered, cancels', () => {
    expect(permissionOutcome({ approved: false, reason: 'cancelled' }, options)).toEqual({ outcome: 'cancelled' });
    expect(permissionOutcome({ approved: false, reason: 'denied' }, options.slice(0, 1))).toEqual({
      outcome: 'cancelled',
    });
  });
});

describe('a form', () => {
  it('becomes questions of every kind, and the answers go back in its form', () => {
    const properties = {
      word: { type: 'string', title: 'Word' },
      many: { type: 'array', items: { enum: ['a', 'b'] } },
      sure: { type: 'boolean' },
      size: { type: 'integer' },
      one: { type: 'string', oneOf: [{ const: 'x', title: 'X' }] },
    };
    const request = inputRequest('q', { message: 'Well?', requestedSchema: { properties, required: ['one'] } });
    expect(request?.questions?.map(({ id, kind, required }) => [id, kind, required])).toEqual([
      ['word', 'text', undefined],
      ['many', 'multi-select', undefined],
      ['sure', 'boolean', undefined],
      ['size', 'integer', undefined],
      ['one', 'single-select', true],
    ]);
    const submitted = <T>(value: T) => ({ state: 'submitted' as const, value });
    const answers = {
      word: submitted({ kind: 'text' as const, value: 'hi' }),
      many: submitted({ kind: 'selected-many' as const, value: ['a'] }),
      sure: submitted({ kind: 'boolean' as const, value: true }),
      size: { state: 'skipped' as const },
    };
    expect(elicitationAnswer({ response: 'accept', answers })).toEqual({
      action: 'accept',
      content: { word: 'hi', many: ['a'], sure: true },
    });
    expect(elicitationAnswer({ response: 'decline' })).toEqual({ action: 'decline' });
  });
});

describe('tools of MCP servers', () => {
  const contributor = (update: object) => {
    const [start] = mapper().update({ sessionUpdate: 'tool_call', toolCallId: 'a', kind: 'other', ...update });
    return start?.kind === 'toolCallStart' ? start.contributor : undefined;
  };
  const theirs = { kind: 'mcp', customizationId: 'mcp:everything' };

  it.each([
    [{ title: 'mcp__everything__echo', _meta: { claudeCode: { toolName: 'mcp__everything__echo' } } }],
    [{ title: 'mcp.everything.echo' }],
    [{ title: 'mcp_everything_echo' }],
    [{ title: 'everything_echo' }],
    [{ title: 'everything-echo' }],
    [{ title: 'echo (everything MCP Server)' }],
  ])('are attributed to their server, by the names that agents give them: %j', (update) => {
    expect(contributor(update)).toEqual(theirs);
  });

  it.each([
    'Write everything_echo',
    'everything',
    'everything_else',
    'mcp__other__echo',
    'echo',
    'rm (everything MCP Server)',
  ])('are not seen in other names: %s', (title) => {
    expect(contributor({ title })).toBeUndefined();
  });
});

describe('what a turn used', () => {
  const usage = (result: object, ...updates: object[]) => {
    const map = mapper();
    for (const update of updates) map.update(update);
    return map.end('complete', { stopReason: 'end_turn', ...result });
  };
  const event = (used: object) => [{ kind: 'usage', usage: used }];

  it('is read from the answer, or from its quota, with the model if it was one', () => {
    const model_usage = [{ model: 'm', token_count: {} }];
    const quota = { token_count: { input_tokens: 3, output_tokens: 2 }, model_usage };
    expect(usage({ _meta: { quota } })).toEqual(event({ inputTokens: 3, outputTokens: 2, model: 'm' }));
    expect(usage({ usage: { inputTokens: 7 }, _meta: { quota } })).toEqual(event({ inputTokens: 7, model: 'm' }));
    const two = { ...quota, model_usage: [...model_usage, { model: 'n' }] };
    expect(usage({ _meta: { quota: two } })).toEqual(event({ inputTokens: 3, outputTokens: 2 }));
  });

  it('is the sum of what came with empty messages, if nothing else is told', () => {
    const chunk = (told: object) => ({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: '' },
      _meta: { usage: told },
    });
    const told = [chunk({ inputTokens: 1, outputTokens: 2 }), chunk({ inputTokens: 4, cachedReadTokens: 3 })];
    expect(usage({}, ...told)).toEqual(event({ inputTokens: 5, outputTokens: 2, cacheReadTokens: 3 }));
    expect(usage({ usage: { inputTokens: 9 } }, ...told)).toEqual(event({ inputTokens: 9 }));
  });
});

describe('a second prompt within a turn', () => {
  const says = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  const answer = { stopReason: 'end_turn', usage: { inputTokens: 10, outputTokens: 5 } };

  it('begins a paragraph of its own, and what it used is added to what the first one did', () => {
    const map = mapper();
    map.update(says('First'));
    expect(map.end('complete', answer)).toEqual([{ kind: 'usage', usage: { inputTokens: 10, outputTokens: 5 } }]);
    map.nextPrompt();
    expect(map.update(says('Steered'))).toEqual([{ kind: 'text', text: '\n\nSteered' }]);
    expect(map.update(says(' here.'))).toEqual([{ kind: 'text', text: ' here.' }]);
    expect(map.end('complete', answer)).toEqual([{ kind: 'usage', usage: { inputTokens: 20, outputTokens: 10 } }]);
  });

  it('of an agent that counts over its whole session is not counted twice', () => {
    const map = mapper();
    map.usedBefore = { inputTokens: 100, outputTokens: 50 };
    map.end('complete', { usage: { inputTokens: 110, outputTokens: 55 } });
    const events = map.end('complete', { usage: { inputTokens: 130, outputTokens: 60 } });
    expect(events).toEqual([{ kind: 'usage', usage: { inputTokens: 30, outputTokens: 10 } }]);
  });
});

describe('what a call is called', () => {
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];

  it('has the command that is asked about, if the title only describes it', () => {
    const toolCall = { toolCallId: 'a', kind: 'execute', title: 'run a command', rawInput: { command: 'rm -r build' } };
    const question = mapper().permission({ toolCall, options });
    expect(question?.confirmation).toMatchObject({
      title: 'run a command: rm -r build',
      invocationMessage: 'run a command: rm -r build',
    });
    const plain = { ...toolCall, title: '`rm -r build`' };
    expect(mapper().permission({ toolCall: plain, options })?.confirmation.title).toBe('`rm -r build`');
  });

  it('says what was done once it is over, though the agent never says more than that it prepares it', () => {
    const map = mapper();
    const call = {
      toolCallId: 'a',
      kind: 'edit',
      title: 'Preparing file…',
      _meta: { claudeCode: { toolName: 'Write' } },
    };
    map.update({ sessionUpdate: 'tool_call', ...call });
    const rawInput = { file_path: '/project/src/hello.txt', content: 'hi' };
    const done = map.update({ sessionUpdate: 'tool_call_update', toolCallId: 'a', rawInput, status: 'completed' });
    expect(done.at(-1)).toMatchObject({ kind: 'toolCallDone', result: { pastTenseMessage: 'Write hello.txt' } });
  });
});

describe('a complaint at the end', () => {
  const failure = (result: object, ...texts: string[]) => {
    const map = mapper();
    map.update({ sessionUpdate: 'usage_update', used: 1, size: 2 });
    for (const text of texts) map.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    map.end('complete', result);
    return map.failure;
  };

  it('is a failure only of a turn that has used nothing', () => {
    expect(failure({ stopReason: 'end_turn' }, 'Info: trying', 'Error: no model')).toBe('no model');
    expect(failure({ usage: { inputTokens: 1 } }, 'Error: no model')).toBeUndefined();
    expect(failure({}, 'Error: no model', 'It works after all.')).toBeUndefined();
    expect(failure({}, 'An Error: no model')).toBeUndefined();
  });
});

describe('a call that is over', () => {
  const end = (update: object, kind = 'execute') => {
    const map = mapper();
    map.update({ sessionUpdate: 'tool_call', toolCallId: 'a', kind, title: 'Do it', status: 'in_progress' });
    const [done] = map.update({ sessionUpdate: 'tool_call_update', toolCallId: 'a', ...update });
    return done?.kind === 'toolCallDone' ? done.result : undefined;
  };

  it.each([
    { rawOutput: { exit_code: 3 } },
    { rawOutput: { metadata: { exit: 3 } } },
    { _meta: { terminal_exit: { exit_code: 3 } } },
  ])('has failed with the exit code of its command, whatever the agent calls it: %j', (told) => {
    const error = { message: 'The command ended with exit code 3.', code: 'exitCode' };
    expect(end({ status: 'completed', ...told })).toEqual({ success: false, pastTenseMessage: 'Do it', error });
  });

  it('shows what a server gave back, though it is only passed on', () => {
    const content = [
      { type: 'text', text: 'ping' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ];
    expect(end({ status: 'completed', rawOutput: { result: { content }, error: null } }, 'other')).toEqual({
      success: true,
      pastTenseMessage: 'Do it',
      content: [
        { type: 'text', text: 'ping' },
        { type: 'resource', uri: 'content:3' },
      ],
    });
    expect(end({ status: 'failed', rawOutput: { result: null, error: { message: 'no' } } }, 'other')).toMatchObject({
      success: false,
      error: { message: 'no' },
    });
  });
});

it('a heading without text at the start of a thought is left out', () => {
  const thought = { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: '****\nhm' } };
  expect(mapper().update(thought)).toEqual([{ kind: 'reasoning', text: 'hm' }]);
});
