import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ActionEnvelopeSchema,
  type ActionOf,
  actionRow,
  type ChannelKind,
  type ChannelStates,
  ChatInputAnswerSchema,
  channelRegistry,
  isClientDispatchable,
  kindOfAction,
  kindOfUri,
  lenient,
  notificationRow,
  reduce,
  requestRow,
  SessionStatusSchema,
  StateActionSchema,
  strict,
} from '../src/index.js';
import { stripNulls } from '../src/internal.js';
import { deepFreeze, env } from './support/reducing.js';
import { busyChat, callPart, chatState, chatSummary, markdown, rootState, sessionState } from './support/samples.js';

/** What everybody's objects inherit, to see that nothing was added to it. */
function inherited(): unknown {
  const prototypes = [Object.prototype, Array.prototype, Function.prototype, Object];
  return prototypes.map((prototype) => Object.getOwnPropertyNames(prototype));
}

let before: unknown;
beforeEach(() => {
  before = inherited();
});
afterEach(() => {
  expect(inherited()).toEqual(before);
  expect({}).not.toHaveProperty('polluted');
});

const bait = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
const config = { schema: { type: 'object' as const, properties: {} }, values: { kept: 1 } };

/** Takes the text of an action the way a peer does: parse, strip, validate, reduce. */
function receive<K extends ChannelKind>(kind: K, state: ChannelStates[K], text: string): ChannelStates[K] {
  const action = lenient(StateActionSchema).parse(stripNulls(JSON.parse(text)));
  return reduce(kind, deepFreeze(state), deepFreeze(action) as ActionOf<K>, env);
}

/** The answers to the question that is asked first in a chat's turn. */
function answersIn({ activeTurn }: ChannelStates['chat']): object | undefined {
  const [part] = activeTurn?.responseParts ?? [];
  return part?.kind === 'inputRequest' ? part.request.answers : undefined;
}

describe('prototype pollution', () => {
  const running = busyChat([
    callPart({
      toolCallId: 'c',
      toolName: '',
      displayName: '',
      invocationMessage: '',
      status: 'running',
      confirmed: 'setting',
    }),
  ]);
  const result = `{"success":true,"pastTenseMessage":"","structuredContent":${bait},"__proto__":{"polluted":true}}`;
  const summary = JSON.stringify(chatSummary('c2')).slice(0, -1);

  const cases: [what: string, kind: ChannelKind, state: ChannelStates[ChannelKind], action: string][] = [
    ['a root setting', 'root', rootState({ config }), `{"type":"root/configChanged","config":${bait}}`],
    [
      'all root settings',
      'root',
      rootState({ config }),
      `{"type":"root/configChanged","config":${bait},"replace":true}`,
    ],
    ['a session setting', 'session', sessionState({ config }), `{"type":"session/configChanged","config":${bait}}`],
    ['_meta', 'session', sessionState(), `{"type":"session/metaChanged","_meta":${bait}}`],
    [
      'a change list',
      'session',
      sessionState({ chats: [chatSummary('c')] }),
      `{"type":"session/chatUpdated","chat":"c","changes":${bait}}`,
    ],
    [
      'a stored object',
      'session',
      sessionState(),
      `{"type":"session/chatAdded","summary":${summary},"__proto__":{"polluted":true}}}`,
    ],
    ['a result', 'chat', running, `{"type":"chat/toolCallComplete","turnId":"t","toolCallId":"c","result":${result}}`],
    [
      '_meta of a call',
      'chat',
      running,
      `{"type":"chat/toolCallComplete","turnId":"t","toolCallId":"c","_meta":${bait},"result":${result}}`,
    ],
    [
      'answers',
      'chat',
      busyChat(),
      `{"type":"chat/inputRequested","request":{"id":"r","answers":{"__proto__":{"state":"skipped","polluted":true}}}}`,
    ],
  ];

  it.each(cases)('in %s is data like any other', (_, kind, state, action) => {
    const after = receive(kind, state, action);
    expect(after).not.toBe(state);
    expect(JSON.stringify(after)).toContain('"__proto__":{');
    const again: unknown = JSON.parse(JSON.stringify(after));
    expect(strict(channelRegistry[kind].state).explain(again)).toBeUndefined();
  });

  it('a question may be called __proto__: its answer comes and goes', () => {
    const answer = (text: string) =>
      `{"type":"chat/inputAnswerChanged","requestId":"r","questionId":"__proto__"${text}}`;
    const asked = busyChat([{ kind: 'inputRequest', request: { id: 'r' } }]);
    const answered = receive('chat', asked, answer(',"answer":{"state":"skipped"}'));
    expect(Object.keys(answersIn(answered) ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(answersIn(answered))).toBe(Object.prototype);
    expect(answersIn(receive('chat', answered, answer('')))).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is no name of ours', (name) => {
    expect(actionRow(name)).toBeUndefined();
    expect(isClientDispatchable(name)).toBe(false);
    expect(kindOfAction(`${name}/x`)).toBeUndefined();
    expect(kindOfUri(`${name}:/x`)).toBeUndefined();
    expect(requestRow(name)).toBeUndefined();
    expect(notificationRow(name)).toBeUndefined();
    expect(strict(StateActionSchema).check({ type: name })).toBe(false);
    const state = chatState();
    expect(receive('chat', state, JSON.stringify({ type: name }))).toBe(state);
  });

  it('an inherited member does not count as a given one', () => {
    expect(strict(StateActionSchema).check(Object.create({ type: 'session/ready' }))).toBe(false);
    expect(lenient(StateActionSchema).check(JSON.parse('{"__proto__":{"type":"session/ready"}}'))).toBe(false);
  });
});

describe('JSON with odd values', () => {
  it('the last of two equal keys counts, and the action is what it then says', () => {
    const text = '{"type":"session/ready","type":"session/titleChanged","title":"a","title":"b"}';
    expect(receive('session', sessionState(), text).title).toBe('b');
  });

  it('a lone surrogate passes and is sent on unchanged', () => {
    const text = '{"type":"chat/delta","turnId":"t","partId":"p","content":"\\ud800"}';
    expect(JSON.stringify(lenient(StateActionSchema).parse(JSON.parse(text)))).toBe(text);
    const after = receive('chat', busyChat([markdown('p', 'a')]), text);
    expect(after.activeTurn?.responseParts).toEqual([markdown('p', 'a\ud800')]);
  });

  it('the halves of a character that arrive apart come together again', () => {
    const half = (code: string) => `{"type":"chat/delta","turnId":"t","partId":"p","content":"${code}"}`;
    const after = receive('chat', receive('chat', busyChat([markdown('p')]), half('\\ud83d')), half('\\ude00'));
    expect(after.activeTurn?.responseParts).toEqual([markdown('p', '😀')]);
  });

  it.each(['1e400', '-1e400'])('%s is no number of ours', (literal) => {
    const huge: unknown = JSON.parse(literal);
    const envelope = { channel: 'x', action: { type: 'session/ready' }, serverSeq: huge };
    const answer = { state: 'submitted', value: { kind: 'number', value: huge } };
    for (const validator of [strict, lenient]) {
      expect(validator(SessionStatusSchema).check(huge)).toBe(false);
      expect(validator(ActionEnvelopeSchema).check(envelope)).toBe(false);
      expect(validator(ChatInputAnswerSchema).check(answer)).toBe(false);
    }
  });

  it('1e400 in free-form members is their business', () => {
    const after = receive('session', sessionState(), '{"type":"session/metaChanged","_meta":{"a":1e400}}');
    expect(after._meta).toEqual({ a: Number.POSITIVE_INFINITY });
  });

  it.each(['null', '5', '"session/ready"', '[]', '[{"type":"session/ready"}]', '{}', '{"type":null}'])(
    '%s is no action',
    (text) => {
      const value: unknown = JSON.parse(text);
      const state = sessionState();
      expect(lenient(StateActionSchema).check(value)).toBe(false);
      expect(reduce('session', state, value as ActionOf<'session'>, env)).toBe(state);
    },
  );
});
