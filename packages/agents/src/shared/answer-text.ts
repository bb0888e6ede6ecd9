import type { ChatInputAnswer } from '@moorage/protocol';

/** The user's answer as text; undefined or empty when there is none. */
export function answerText(answer: ChatInputAnswer): string | undefined {
  if (answer.state === 'skipped') return answer.freeformValues?.join(', ');
  const { value } = answer;
  const given = Array.isArray(value.value) ? value.value : [String(value.value)];
  const free = 'freeformValues' in value ? (value.freeformValues ?? []) : [];
  return [...given, ...free].filter((text) => text !== '').join(', ');
}
