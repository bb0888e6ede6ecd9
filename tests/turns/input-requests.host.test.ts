import type { InputOutcome } from '@moorage/host';
import { type ChatInputRequest, openRequests } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, chatState, reasonFor, startTurn, turnEnd } from '../support/actions.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const OPTIONS = ['red', 'green', 'blue'].map((id) => ({ id, label: id }));
const REQUEST: ChatInputRequest = {
  id: 'r',
  message: 'About you',
  questions: [
    { id: 'name', kind: 'text', message: 'Name?', required: true, min: 2, max: 5 },
    { id: 'height', kind: 'number', message: 'Height?', min: 0.5, max: 2.5 },
    { id: 'age', kind: 'integer', message: 'Age?', min: 0 },
    { id: 'happy', kind: 'boolean', message: 'Happy?' },
    { id: 'color', kind: 'single-select', message: 'Colour?', options: OPTIONS },
    { id: 'shade', kind: 'single-select', message: 'Shade?', options: OPTIONS, allowFreeformInput: true },
    { id: 'flags', kind: 'multi-select', message: 'Flags?', options: OPTIONS, min: 1, max: 2 },
    { id: 'words', kind: 'multi-select', message: 'Words?', options: OPTIONS, max: 2, allowFreeformInput: true },
  ],
};

let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
let bob: WireClient;
let session: string;
let chat: string;
let turnId: string;
let outcomes: InputOutcome[];
beforeEach(async () => {
  outcomes = [];
  agent = new GatedAgent();
  agent.next = async (run) => {
    outcomes.push(await run.ask(REQUEST));
    return undefined;
  };
  host = await TestHost.start({ agents: [agent] });
  client = await host.client();
  bob = await host.client();
  ({ session, chat } = await host.session(client, { provider: 'test' }));
  await bob.subscribe(chat);
  turnId = startTurn(client, chat, 'ask me');
  await client.action(chat, 'chat/inputRequested');
});
afterEach(() => host.dispose());

const value = (kind: string, given: unknown, more: object = {}) => ({ kind, value: given, ...more });
const submitted = (kind: string, given: unknown, more?: object) => ({
  state: 'submitted',
  value: value(kind, given, more),
});
const draft = (kind: string, given: unknown) => ({ state: 'draft', value: value(kind, given) });
const answer = (questionId: string, given?: object) => ({
  type: 'chat/inputAnswerChanged',
  requestId: 'r',
  questionId,
  ...(given && { answer: given }),
});
const complete = (response: string, answers?: object) => ({
  type: 'chat/inputCompleted',
  requestId: 'r',
  response,
  ...(answers && { answers }),
});
const answers = async () => openRequests(await chatState(bob, chat))[0]?.answers ?? {};

describe('chat/inputAnswerChanged', () => {
  it('shows drafts to everybody, who may go on with them (B-208, B-211)', async () => {
    const asked = await chatState(bob, chat);
    expect(asked.status).toBe(24);
    expect(openRequests(asked)).toMatchObject([REQUEST]);
    await accepted(client, chat, answer('name', draft('text', 'A')));
    const seen = await bob.action(chat, 'chat/inputAnswerChanged');
    expect(seen).toMatchObject({ questionId: 'name', answer: draft('text', 'A') });
    await accepted(bob, chat, answer('name', draft('text', 'Ada')));
    await accepted(bob, chat, answer('happy', { state: 'skipped', freeformValues: ['rather not'] }));
    expect(await answers()).toEqual({
      name: draft('text', 'Ada'),
      happy: expect.objectContaining({ state: 'skipped' }),
    });
    await accepted(client, chat, answer('name'));
    expect(Object.keys(await answers())).toEqual(['happy']);
    await client.sync();
    const updates = client.actionsOn(session).filter((action) => action.type === 'session/chatUpdated');
    expect(updates).toHaveLength(2); // the turn and its question: a draft is not news for a list
  });

  it('takes only values that fit the question (B-213, B-215, OQ-70)', async () => {
    const cases: [questionId: string, given: object, reason?: string][] = [
      ['unknown', draft('text', 'x'), 'no question "unknown"'],
      ['name', { state: 'draft' }, '/answer/value'],
      ['name', { state: 'draft', value: { kind: 'text', value: 7 } }, '/answer/value'],
      ['name', draft('number', 7), 'takes a "text" value'],
      ['name', draft('text', 'far too long')], // a draft may be unfinished
      ['name', submitted('text', 'x'), 'at least 2'],
      ['name', submitted('text', 'far too long'), 'at most 5'],
      ['name', submitted('text', 'Ada')],
      ['height', submitted('text', '1.8'), 'takes a "number" value'],
      ['height', submitted('number', 0.4), 'at least 0.5'],
      ['height', submitted('number', 2.6), 'at most 2.5'],
      ['height', submitted('number', 1.8)],
      ['age', submitted('number', 36.5), 'whole number'],
      ['age', submitted('number', -1), 'at least 0'],
      ['age', draft('number', 36.5)],
      ['age', submitted('number', 36)],
      ['happy', submitted('text', 'yes'), 'takes a "boolean" value'],
      ['happy', submitted('boolean', true)],
      ['color', submitted('text', 'red'), 'takes a "selected" value'],
      ['color', submitted('selected', 'pink'), 'no option "pink"'],
      ['color', submitted('selected', '', { freeformValues: ['pink'] }), 'no option'],
      ['color', submitted('selected', 'red')],
      ['shade', submitted('selected', '', { freeformValues: ['pink'] })],
      ['shade', submitted('selected', 'pink'), 'no option "pink"'],
      ['flags', submitted('selected', 'red'), 'takes a "selected-many" value'],
      ['flags', submitted('selected-many', []), 'at least 1'],
      ['flags', submitted('selected-many', ['red', 'pink']), 'no option "pink"'],
      ['flags', submitted('selected-many', ['red', 'green', 'blue']), 'at most 2'],
      ['flags', submitted('selected-many', ['red', 'green'])],
      ['words', submitted('selected-many', ['red'], { freeformValues: ['pink', 'teal'] }), 'at most 2'],
      ['words', submitted('selected-many', ['red'], { freeformValues: ['pink'] })],
      ['name', { state: 'draft' }, 'expected'],
      ['age', submitted('number', '36'), 'expected'],
      ['flags', submitted('selected-many', ['red', 1]), 'expected'],
    ];
    for (const [questionId, given, reason] of cases) {
      const echo = await client.act(chat, answer(questionId, given));
      expect([given, echo.rejectionReason]).toEqual([
        given,
        reason === undefined ? undefined : expect.stringContaining(reason),
      ]);
    }
    const unknown = { ...answer('name', draft('text', 'x')), requestId: 'unknown' };
    expect(await reasonFor(client, chat, unknown)).toContain('no input request "unknown"');
    expect(await answers()).toMatchObject({ name: submitted('text', 'Ada'), age: submitted('number', 36) });
  });
});

describe('chat/inputCompleted', () => {
  it('accepts only with submitted answers to what is required (B-212, B-214, OQ-70)', async () => {
    expect(await reasonFor(client, chat, complete('accept'))).toContain('"name" needs an answer');
    await accepted(client, chat, answer('name', draft('text', 'Ada')));
    expect(await reasonFor(client, chat, complete('accept'))).toContain('"name" needs an answer');
    expect(await reasonFor(client, chat, complete('accept', { name: { state: 'skipped' } }))).toContain(
      '"name" needs an answer',
    );
    expect(await reasonFor(client, chat, complete('accept', { name: submitted('text', 'x') }))).toContain('at least 2');
    const foreign = { name: submitted('text', 'Ada'), who: submitted('text', 'x') };
    expect(await reasonFor(client, chat, complete('accept', foreign))).toContain('no question "who"');
    expect(outcomes).toEqual([]);
    await accepted(client, chat, complete('accept', { name: submitted('text', 'Ada') }));
    expect((await turnEnd(client, chat, turnId)).type).toBe('chat/turnComplete');
    expect(outcomes).toEqual([{ response: 'accept', answers: { name: submitted('text', 'Ada') } }]);
  });

  it('gives the agent what was submitted by anybody, but no drafts (B-212, B-214)', async () => {
    await accepted(client, chat, answer('name', submitted('text', 'Ada')));
    await accepted(bob, chat, answer('age', submitted('number', 36)));
    await accepted(bob, chat, answer('happy', draft('boolean', false)));
    await accepted(bob, chat, answer('color', { state: 'skipped' }));
    await accepted(bob, chat, complete('accept', { age: submitted('number', 37) }));
    await turnEnd(client, chat, turnId);
    const final = { name: submitted('text', 'Ada'), age: submitted('number', 37), color: { state: 'skipped' } };
    expect(outcomes).toEqual([{ response: 'accept', answers: final }]);
  });

  it.each(['decline', 'cancel'])('with %s needs nothing, and works once (B-64, B-217)', async (response) => {
    await accepted(client, chat, answer('name', submitted('text', 'Ada')));
    const echo = await accepted(bob, chat, complete(response));
    expect(echo.rejectionReason).toBeUndefined();
    expect(await reasonFor(client, chat, complete('cancel'))).toContain('no input request "r"');
    await turnEnd(client, chat, turnId);
    expect(outcomes).toEqual([{ response }]);
    const state = await chatState(client, chat);
    expect(openRequests(state)).toEqual([]);
    const kept = state.turns[0]?.responseParts.filter(({ kind }) => kind === 'inputRequest');
    expect(kept).toMatchObject([{ request: { id: 'r', answers: { name: submitted('text', 'Ada') } }, response }]);
    expect(state.status).toBe(1);
  });

  it('of one request leaves the others open (B-216, B-217)', async () => {
    await accepted(client, chat, complete('decline'));
    await turnEnd(client, chat, turnId);
    agent.next = async (run) => {
      const both = [run.ask({ id: 'one', url: 'https://example.com/login' }), run.ask({ id: 'two', message: 'And?' })];
      outcomes = await Promise.all(both);
      return undefined;
    };
    const next = startTurn(client, chat, 'twice');
    await client.action(chat, 'chat/inputRequested', 3);
    await accepted(client, chat, { ...complete('accept'), requestId: 'one' });
    const left = await chatState(client, chat);
    expect(left.status).toBe(24);
    expect(openRequests(left)).toMatchObject([{ id: 'two' }]);
    await accepted(client, chat, { ...complete('decline'), requestId: 'two' });
    await turnEnd(client, chat, next);
    expect(outcomes).toEqual([{ response: 'accept', answers: {} }, { response: 'decline' }]);
  });
});
