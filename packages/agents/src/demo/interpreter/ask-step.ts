import type { InputOutcome } from '@moorage/host/ports';
import type { ChatInputQuestion } from '@moorage/protocol';
import { abortable } from '../../shared/abortable.js';
import { answerText } from '../../shared/answer-text.js';
import type { StepOf } from '../script/step.js';
import type { ScriptRun } from './script-run.js';

const QUESTION_ID = 'answer';

export async function runAsk(step: StepOf<'ask'>, run: ScriptRun): Promise<void> {
  const id = run.nextId();
  run.saveProgress();
  const request = run.turn.ask({ id, message: step.question, questions: [questionOf(step)] });
  await run.voice.say(describe(await abortable(run.turn.signal, request)));
}

/** An option is its own id, which makes it easy for scripts to answer. */
function questionOf({ question, options }: StepOf<'ask'>): ChatInputQuestion {
  const base = { id: QUESTION_ID, message: question, required: true };
  if (options.length === 0) return { ...base, kind: 'text' };
  return { ...base, kind: 'single-select', options: options.map((option) => ({ id: option, label: option })) };
}

function describe(outcome: InputOutcome): string {
  if (outcome.response !== 'accept') {
    return outcome.response === 'decline' ? 'You declined to answer.' : 'You cancelled the question.';
  }
  const answer = outcome.answers[QUESTION_ID];
  const text = answer && answerText(answer);
  return text ? `You answered: ${text}` : 'You gave no answer.';
}
