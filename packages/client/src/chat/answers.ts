import type { ChatInputAnswer, ChatInputQuestion, ChatInputRequest, PlainAnswer } from '@moorage/protocol';

/** Answers as plain values by the id of their question; of a request with one question, also the value alone. */
export type Answers = PlainAnswer | Readonly<Record<string, PlainAnswer | undefined>>;

/** The wire's form of plain answers. Throws a TypeError that says what a question expects. */
export function toAnswers({ questions = [] }: ChatInputRequest, given: Answers): Record<string, ChatInputAnswer> {
  const values = byQuestion(questions, given);
  const unknown = Object.keys(values).filter((id) => !questions.some((question) => question.id === id));
  if (unknown.length > 0) throw new TypeError(`no question has the id ${unknown.join(', ')}; ${listed(questions)}`);
  return Object.fromEntries(questions.map((question) => [question.id, toAnswer(question, values[question.id])]));
}

function byQuestion(questions: readonly ChatInputQuestion[], given: Answers): Record<string, PlainAnswer | undefined> {
  if (typeof given === 'object' && !Array.isArray(given)) return { ...given };
  const [only, ...others] = questions;
  if (!only || others.length > 0) throw new TypeError(`give the answers by question; ${listed(questions)}`);
  return { [only.id]: given as PlainAnswer };
}

function toAnswer(question: ChatInputQuestion, given: PlainAnswer | undefined): ChatInputAnswer {
  if (given === undefined) {
    if (question.required) throw expected(question, 'an answer: it is required');
    return { state: 'skipped' };
  }
  switch (question.kind) {
    case 'text':
      if (typeof given !== 'string') throw expected(question, 'a string');
      return { state: 'submitted', value: { kind: 'text', value: given } };
    case 'number':
    case 'integer': {
      const fits = typeof given === 'number' && (question.kind === 'number' || Number.isInteger(given));
      if (!fits) throw expected(question, question.kind === 'integer' ? 'a whole number' : 'a number');
      return { state: 'submitted', value: { kind: 'number', value: given } };
    }
    case 'boolean':
      if (typeof given !== 'boolean') throw expected(question, 'true or false');
      return { state: 'submitted', value: { kind: 'boolean', value: given } };
    case 'single-select': {
      if (typeof given !== 'string') throw expected(question, 'the id or label of one option');
      const { ids, others } = chosen(question, [given]);
      const freeform = others.length > 0 && { freeformValues: others };
      return { state: 'submitted', value: { kind: 'selected', value: ids[0] ?? '', ...freeform } };
    }
    case 'multi-select': {
      if (!Array.isArray(given)) throw expected(question, 'an array of ids or labels of options');
      const { ids, others } = chosen(question, given);
      const freeform = others.length > 0 && { freeformValues: others };
      return { state: 'submitted', value: { kind: 'selected-many', value: ids, ...freeform } };
    }
  }
}

type Select = Extract<ChatInputQuestion, { kind: 'single-select' | 'multi-select' }>;

/** Options by id or label; what is neither passes only where the question allows text of one's own. */
function chosen(question: Select, words: readonly string[]): { ids: string[]; others: string[] } {
  const ids: string[] = [];
  const others: string[] = [];
  for (const word of words) {
    const option =
      question.options.find(({ id }) => id === word) ?? question.options.find(({ label }) => label === word);
    if (option) ids.push(option.id);
    else if (question.allowFreeformInput) others.push(word);
    else throw expected(question, `one of ${question.options.map(({ id }) => JSON.stringify(id)).join(', ')}`);
  }
  return { ids, others };
}

function expected({ id, message }: ChatInputQuestion, what: string): TypeError {
  return new TypeError(`question ${JSON.stringify(id)} (${message}) expects ${what}`);
}

function listed(questions: readonly ChatInputQuestion[]): string {
  if (questions.length === 0) return 'the request has no questions: answer it with {}';
  return `the questions are ${questions.map(({ id }) => JSON.stringify(id)).join(', ')}`;
}
