import { describe, expect, it } from 'vitest';
import {
  answeredQuestions,
  type ChatInputAnswerValue,
  type ChatInputQuestion,
  CREATED_AT,
  createdAtOf,
  errorOf,
  modifiedAtOf,
} from '../src/index.js';
import { chatSummary, error, finishedTurn, markdown, sessionState } from './support/samples.js';

describe('the times of a session', () => {
  const _meta = { [CREATED_AT]: '2026-01-02T00:00:00.000Z' };

  it('begin with its creation, if it says when that was', () => {
    expect(createdAtOf({ _meta })).toBe(Date.UTC(2026, 0, 2));
    expect([createdAtOf({}), createdAtOf({ _meta: { [CREATED_AT]: 'once' } })]).toEqual([0, 0]);
  });

  it.each([
    ['its creation', ['2025-12-24T08:00:00.000Z'], Date.UTC(2026, 0, 2)],
    ['the latest change of a chat', ['2026-01-03T00:00:00.000Z', '2026-01-02T12:00:00.000Z'], Date.UTC(2026, 0, 3)],
    ['its creation, where a chat has no time', ['never'], Date.UTC(2026, 0, 2)],
  ])('end with %s', (_, times, expected) => {
    const chats = times.map((modifiedAt, index) => chatSummary(`c${index}`, { modifiedAt }));
    expect(modifiedAtOf(sessionState({ _meta, chats }))).toBe(expected);
  });
});

describe('the error of a turn', () => {
  it('is its last part, if it ended in one', () => {
    const parts = [markdown('p'), { kind: 'error' as const, error }];
    expect(errorOf(finishedTurn('t', { state: 'error', responseParts: parts }))).toBe(error);
    expect(errorOf(finishedTurn('t', { state: 'error' }))).toBeUndefined();
    expect(errorOf(finishedTurn('t', { state: 'cancelled', responseParts: parts }))).toBeUndefined();
  });
});

describe('answered questions', () => {
  const options = [
    { id: 'r', label: 'Red' },
    { id: 'b', label: 'Blue' },
  ];
  const ask = (kind: ChatInputQuestion['kind']) =>
    ({ id: 'q', message: 'What?', kind, ...(kind.endsWith('select') && { options }) }) as ChatInputQuestion;
  const answersOf = (kind: ChatInputQuestion['kind'], value: ChatInputAnswerValue) =>
    answeredQuestions({ id: 'r', questions: [ask(kind)], answers: { q: { state: 'submitted', value } } });

  it.each<[ChatInputQuestion['kind'], ChatInputAnswerValue, string]>([
    ['text', { kind: 'text', value: 'Me' }, 'Me'],
    ['number', { kind: 'number', value: 4.5 }, '4.5'],
    ['boolean', { kind: 'boolean', value: false }, 'no'],
    ['single-select', { kind: 'selected', value: 'r' }, 'Red'],
    ['single-select', { kind: 'selected', value: '', freeformValues: ['Pink'] }, 'Pink'],
    ['multi-select', { kind: 'selected-many', value: ['b', 'r'], freeformValues: ['Pink'] }, 'Blue, Red, Pink'],
  ])('say in words what was chosen: %s %o', (kind, value, answer) => {
    expect(answersOf(kind, value)).toEqual([{ id: 'q', question: 'What?', answer }]);
  });

  it('have no answer when it was skipped, only drafted, or never given', () => {
    const questions = ['a', 'b', 'c'].map((id) => ({ ...ask('text'), id }));
    const draft = { state: 'draft' as const, value: { kind: 'text' as const, value: 'hm' } };
    const shown = answeredQuestions({ id: 'r', questions, answers: { a: { state: 'skipped' }, b: draft } });
    expect(shown.map((each) => 'answer' in each)).toEqual([false, false, false]);
  });

  it('are none for a request without questions', () => {
    expect(answeredQuestions({ id: 'r', message: 'Go on?' })).toEqual([]);
  });
});
