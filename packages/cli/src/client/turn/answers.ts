import type {
  ActionOf,
  ChatInputAnswer,
  ChatInputQuestion,
  ChatInputRequest,
  ChatInputResponseKind,
} from '@moorage/protocol';

/** What a typed line means as the answer to a question, or a sentence that says what was expected instead. */
export function readAnswer(question: ChatInputQuestion, line: string): ChatInputAnswer | string {
  const text = line.trim();
  if (text === '' && question.required !== true && question.kind !== 'text') return { state: 'skipped' };
  switch (question.kind) {
    case 'text':
      if (text === '' && question.defaultValue !== undefined) return submitted('text', question.defaultValue);
      return submitted('text', line);
    case 'number':
    case 'integer':
      return readNumber(question, text);
    case 'boolean': {
      const isYes = readYesOrNo(text);
      return isYes === undefined ? YES_OR_NO : submitted('boolean', isYes);
    }
    case 'single-select': {
      const option = findOption(question, text);
      if (option !== undefined) return submitted('selected', option);
      if (!question.allowFreeformInput) return expectedOption(question);
      return { state: 'submitted', value: { kind: 'selected', value: '', freeformValues: [text] } };
    }
    case 'multi-select': {
      const words = text.split(',').map((word) => word.trim());
      const options = words.map((word) => findOption(question, word));
      const unknown = words.filter((_word, index) => options[index] === undefined);
      if (unknown.length > 0 && !question.allowFreeformInput) return `${expectedOption(question)}, separated by commas`;
      const value = { kind: 'selected-many' as const, value: options.filter((option) => option !== undefined) };
      return { state: 'submitted', value: unknown.length > 0 ? { ...value, freeformValues: unknown } : value };
    }
  }
}

export const YES_OR_NO = 'expected yes or no';

/** Undefined when a line is neither. */
export function readYesOrNo(line: string): boolean | undefined {
  const text = line.trim();
  if (/^(y|yes|true|on|1)$/i.test(text)) return true;
  return /^(n|no|false|off|0)$/i.test(text) ? false : undefined;
}

export function accepted(request: ChatInputRequest, answers: Record<string, ChatInputAnswer>): InputCompleted {
  return { type: 'chat/inputCompleted', requestId: request.id, response: 'accept', answers };
}

export function declined(request: ChatInputRequest): InputCompleted {
  return { type: 'chat/inputCompleted', requestId: request.id, response: 'decline' };
}

/** What became of a request, in a word or two. */
export function responseText(response: ChatInputResponseKind | undefined): string {
  if (response === undefined) return 'not answered';
  return { accept: 'answered', decline: 'declined', cancel: 'cancelled' }[response];
}

type InputCompleted = Extract<ActionOf<'chat'>, { type: 'chat/inputCompleted' }>;
type Select = Extract<ChatInputQuestion, { kind: 'single-select' | 'multi-select' }>;
type NumberQuestion = Extract<ChatInputQuestion, { kind: 'number' | 'integer' }>;

function readNumber({ kind, min, max }: NumberQuestion, text: string): ChatInputAnswer | string {
  const value = Number(text);
  const isNumber = text !== '' && Number.isFinite(value) && (kind === 'number' || Number.isInteger(value));
  if (!isNumber) return kind === 'integer' ? 'expected a whole number' : 'expected a number';
  if (min !== undefined && value < min) return `expected at least ${min}`;
  return max !== undefined && value > max ? `expected at most ${max}` : submitted('number', value);
}

/** An option by its number in the list, its label or its id. */
function findOption({ options }: Select, text: string): string | undefined {
  const wanted = text.toLowerCase();
  const byName = options.find(({ id, label }) => id === text || label.toLowerCase() === wanted);
  return (byName ?? (/^\d+$/.test(text) ? options[Number(text) - 1] : undefined))?.id;
}

function expectedOption({ options }: Select): string {
  return `expected one of: ${options.map(({ label }) => label).join(', ')}`;
}

type Value = Extract<ChatInputAnswer, { state: 'draft' | 'submitted' }>['value'];

function submitted<K extends Value['kind']>(kind: K, value: Extract<Value, { kind: K }>['value']): ChatInputAnswer {
  return { state: 'submitted', value: { kind, value } as Value };
}
