import type { ChatInputAnswer, ChatInputQuestion, ChatInputRequest } from '@moorage/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { printLine } from '../output/out.js';
import { jsonLine } from '../output/plain.js';
import { accepted, declined, readAnswer, readYesOrNo, YES_OR_NO } from '../turn/answers.js';
import { pendingIn } from '../turn/decide.js';
import { requestText } from '../turn/question-text.js';

interface AnswerOptions extends CommonOptions {
  readonly decline?: boolean;
}

export default function answerCommand(): Command {
  return command('answer <session> [answer...]', 'Answer a question of an agent.', [
    'moorage answer 4f2a blue',
    'moorage answer 4f2a 2                   # the second option',
    'moorage answer 4f2a "my name" yes       # one argument for each question',
    'moorage answer 4f2a no                  # where there is nothing to fill in',
    'moorage answer 4f2a --decline',
  ])
    .option('--decline', 'do not answer; the agent is told so')
    .action(answer);
}

async function answer(session: string, lines: string[], options: AnswerOptions): Promise<void> {
  if (options.decline && lines.length > 0) throw new UsageError('give an answer or --decline, not both');
  await withHost(options, async (client) => {
    const pending = (await pendingIn(client, session)).find(({ kind }) => kind === 'question');
    if (pending?.kind !== 'question') throw new CommandError('no question is open in this session');
    const { request, chat } = pending;
    const action = options.decline ? declined(request) : readResponse(request, lines);
    await chat.dispatch(action);
    const response = action.response === 'decline' ? 'declined' : 'answered';
    printLine(options.json ? jsonLine({ [response]: request.id }) : response);
  });
}

function readResponse(request: ChatInputRequest, lines: readonly string[]) {
  if (request.questions?.length) return accepted(request, readAnswers(request.questions, lines));
  const isYes = lines.length === 1 ? readYesOrNo(lines[0] ?? '') : undefined;
  if (isYes === undefined) throw new UsageError(`${YES_OR_NO}, to:\n${requestText(request)}`);
  return isYes ? accepted(request, {}) : declined(request);
}

function readAnswers(
  questions: readonly ChatInputQuestion[],
  lines: readonly string[],
): Record<string, ChatInputAnswer> {
  const count = questions.length;
  if (lines.length !== count) {
    const asked = questions.map(({ message }) => `  ${message}`).join('\n');
    throw new UsageError(`expected ${count} ${count === 1 ? 'answer' : 'answers'}, one for each question:\n${asked}`);
  }
  return Object.fromEntries(
    questions.map((question, index) => {
      const value = readAnswer(question, lines[index] ?? '');
      if (typeof value === 'string') throw new UsageError(`${question.message}: ${value}`);
      return [question.id, value];
    }),
  );
}
