import type { ChatInputAnswer, ChatInputQuestion, ChatInputRequest } from '@moorage/protocol';

/** Why an answer does not fit its question, or undefined when it does (B-213). Limits apply to submitted answers only. */
export function answerProblem(question: ChatInputQuestion, answer: ChatInputAnswer): string | undefined {
  if (answer.state === 'skipped') return undefined;
  const expected = VALUE_KINDS[question.kind];
  if (answer.value.kind !== expected) return `a ${question.kind} question takes a "${expected}" value`;
  return answer.state === 'submitted' ? limitProblem(question, answer) : undefined;
}

/** Why a request cannot be accepted with these final answers over its drafts, or undefined when it can (OQ-70). */
export function acceptProblem(
  request: ChatInputRequest,
  final: Readonly<Record<string, ChatInputAnswer>> | undefined,
): string | undefined {
  const answers = { ...request.answers, ...final };
  const questions = request.questions ?? [];
  for (const id of Object.keys(final ?? {})) {
    if (!questions.some((question) => question.id === id)) return `there is no question "${id}"`;
  }
  for (const question of questions) {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    const problem = answer && answerProblem(question, answer);
    if (problem) return `question "${question.id}": ${problem}`;
    if (question.required && answer?.state !== 'submitted') return `question "${question.id}" needs an answer`;
  }
  return undefined;
}

const VALUE_KINDS = {
  text: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  'single-select': 'selected',
  'multi-select': 'selected-many',
} as const;

type Answered = Extract<ChatInputAnswer, { value: unknown }>;

function limitProblem(question: ChatInputQuestion, { value }: Answered): string | undefined {
  switch (question.kind) {
    case 'text':
      return value.kind === 'text' ? rangeProblem('length', value.value.length, question) : undefined;
    case 'number':
    case 'integer':
      if (value.kind !== 'number') return undefined;
      if (question.kind === 'integer' && !Number.isInteger(value.value)) return 'it must be a whole number';
      return rangeProblem('value', value.value, question);
    case 'single-select': {
      if (value.kind !== 'selected') return undefined;
      const free = question.allowFreeformInput && value.freeformValues?.length;
      return free || isOption(question.options, value.value) ? undefined : `there is no option "${value.value}"`;
    }
    case 'multi-select': {
      if (value.kind !== 'selected-many') return undefined;
      const unknown = value.value.find((id) => !isOption(question.options, id));
      if (unknown !== undefined) return `there is no option "${unknown}"`;
      const free = question.allowFreeformInput ? (value.freeformValues?.length ?? 0) : 0;
      return rangeProblem('number of choices', value.value.length + free, question);
    }
    default:
      return undefined;
  }
}

function rangeProblem(
  what: string,
  actual: number,
  { min, max }: { min?: number | undefined; max?: number | undefined },
): string | undefined {
  if (min !== undefined && actual < min) return `the ${what} must be at least ${min}`;
  if (max !== undefined && actual > max) return `the ${what} must be at most ${max}`;
  return undefined;
}

function isOption(options: readonly { id: string }[], id: string): boolean {
  return options.some((option) => option.id === id);
}
