import { describe, expect, it } from 'vitest';
import { lenient, StateActionSchema } from '../src/index.js';
import { stripNulls } from '../src/internal.js';
import { deepFreeze } from './support/reducing.js';

describe('stripNulls (OQ-24)', () => {
  it.each([
    ['chat/inputAnswerChanged', { requestId: 'r', questionId: 'q', answer: null }, { requestId: 'r', questionId: 'q' }],
    ['changeset/operationsChanged', { operations: null }, {}],
    ['session/activityChanged', { activity: null }, {}],
    ['terminal/exited', { exitCode: null }, {}],
    ['chat/draftChanged', { draft: null }, {}],
    ['chat/truncated', { turnId: null }, {}],
  ])('drops null members of %s, which then is valid', (type, payload, rest) => {
    const action = deepFreeze({ type, ...payload });
    expect(lenient(StateActionSchema).check(action)).toBe(false);
    expect(stripNulls(action)).toStrictEqual({ type, ...rest });
    expect(lenient(StateActionSchema).explain(stripNulls(action))).toBeUndefined();
  });

  it('drops null members of the request in an action, and no deeper', () => {
    const question = { kind: 'text', id: 'q', message: 'Why?', title: null };
    const action = deepFreeze({
      type: 'chat/inputRequested',
      request: { id: 'r', message: null, answers: null, questions: [question] },
    });
    expect(stripNulls(action)).toStrictEqual({
      type: 'chat/inputRequested',
      request: { id: 'r', questions: [question] },
    });
  });

  it('a request that is null goes as a whole', () => {
    expect(stripNulls({ type: 'chat/inputRequested', request: null })).toStrictEqual({ type: 'chat/inputRequested' });
  });

  it('B-14 keeps `activeClient: null`, which releases the role', () => {
    const action = { type: 'session/activeClientChanged', activeClient: null };
    expect(stripNulls(action)).toBe(action);
  });

  it('OQ-25 keeps null inside a change list, where it clears', () => {
    const action = { type: 'session/chatUpdated', chat: 'c', changes: { activity: null } };
    expect(stripNulls(action)).toBe(action);
  });

  it('keeps null inside free-form members', () => {
    const action = {
      type: 'root/configChanged',
      config: { a: null },
      _meta: { b: null },
      structuredContent: { c: null },
      activity: null,
    };
    const { activity: _, ...rest } = action;
    expect(stripNulls(action)).toStrictEqual(rest);
  });

  it('gives the same object when there is nothing to drop', () => {
    const action = deepFreeze({ type: 'chat/inputRequested', request: { id: 'r' } });
    expect(stripNulls(action)).toBe(action);
  });

  it('keeps a member called __proto__ as an ordinary one', () => {
    const action = JSON.parse('{"type":"a","x":null,"__proto__":{"polluted":true}}');
    const clean = stripNulls(action);
    expect(JSON.stringify(clean)).toBe('{"type":"a","__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(clean)).toBe(Object.prototype);
  });
});
