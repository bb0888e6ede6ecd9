import type { ChatInputAnswer } from './input-answer.js';
import type { ChatInputQuestion } from './input-question.js';
import type { ChatInputRequest } from './input-request.js';
import { plainAnswers } from './plain-answers.js';

/** A question as a transcript shows it. */
export interface AnsweredQuestion {
  /** The id of the question. */
  readonly id: string;
  /** The question as the user read it. */
  readonly question: string;
  /** In the words that the user chose or typed; absent when the question was skipped. */
  readonly answer?: string;
}

/** The questions of a request with what was answered; drafts that nobody submitted do not count. */
export function answeredQuestions({ questions = [], answers = {} }: ChatInputRequest): AnsweredQuestion[] {
  const submitted = Object.entries(answers).filter(([, { state }]) => state === 'submitted');
  return questions.map((question) => {
    const answer = submitted.find(([id]) => id === question.id)?.[1];
    const words = answer && answerWords(question, answer);
    return { id: question.id, question: question.message, ...(words !== undefined && { answer: words }) };
  });
}

function answerWords(question: ChatInputQuestion, answer: ChatInputAnswer): string | undefined {
  const { value } = plainAnswers({ value: answer });
  if (value === undefined) return undefined;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const options = 'options' in question ? question.options : [];
  const label = (word: string) => options.find(({ id }) => id === word)?.label ?? word;
  return typeof value === 'number' ? String(value) : [value].flat().map(label).join(', ');
}
