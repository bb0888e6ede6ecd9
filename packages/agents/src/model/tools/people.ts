import type { InputOutcome } from '@moorage/host/ports';
import type { ChatInputQuestion } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import { abortable } from '../../shared/abortable.js';
import { answerText } from '../../shared/answer-text.js';
import { defineTool } from './tool.js';

const QUESTION_ID = 'answer';

export const askTool = defineTool({
  name: 'ask_user',
  displayName: 'Ask the user',
  description: 'Asks the user a question and waits for the answer. Use it only when you cannot go on without it.',
  isReadOnly: true,
  parameters: Type.Object({
    question: Type.String({ minLength: 1, maxLength: 4_000 }),
    options: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { maxItems: 20, description: 'Answers to choose from.' }),
    ),
  }),
  prepare: ({ question, options = [] }, { turn }, toolCallId) => ({
    words: { now: `Ask: ${question}`, past: `Asked: ${question}`, failed: `Could not ask: ${question}` },
    run: async () => {
      const questions = [questionOf(question, [...new Set(options)])];
      const asked = turn.ask({ id: `${toolCallId}.question`, message: question, questions });
      return { text: describe(await abortable(turn.signal, asked)) };
    },
  }),
});

/** UTF-16 units of a session's title. */
const MAX_TITLE_CHARS = 80;

export const titleTool = defineTool({
  name: 'set_title',
  displayName: 'Name the session',
  description: 'Gives the session a short title that says what it is about. Call it once, with your first answer.',
  isReadOnly: true,
  parameters: Type.Object({ title: Type.String({ minLength: 1 }) }),
  prepare: (input, { setTitle }) => {
    const title = input.title.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS);
    return {
      words: {
        now: `Name the session ${title}`,
        past: `Named the session ${title}`,
        failed: 'Could not name the session',
      },
      run: async () => {
        if (title !== '') setTitle(title);
        return { text: 'Done.' };
      },
    };
  },
});

function questionOf(message: string, options: readonly string[]): ChatInputQuestion {
  const base = { id: QUESTION_ID, message, required: true };
  if (options.length === 0) return { ...base, kind: 'text' };
  const choices = options.map((option) => ({ id: option, label: option }));
  return { ...base, kind: 'single-select', options: choices, allowFreeformInput: true };
}

function describe(outcome: InputOutcome): string {
  if (outcome.response !== 'accept') {
    return outcome.response === 'decline' ? 'The user declined to answer.' : 'The user cancelled the question.';
  }
  const answer = outcome.answers[QUESTION_ID];
  const text = answer && answerText(answer);
  return text ? `The user answered: ${text}` : 'The user gave no answer.';
}
