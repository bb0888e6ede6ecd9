import type { ChatInputAnswer } from './input-answer.js';

/** What a user answered, as the value that a form would hold. */
export type PlainAnswer = string | number | boolean | string[];

/**
 * The answers to an input request as plain values by question, without the skipped ones: the form in which agents and MCP
 * servers that asked with a form of their own expect them.
 */
export function plainAnswers(answers: Readonly<Record<string, ChatInputAnswer>>): Record<string, PlainAnswer> {
  const entries = Object.entries(answers).flatMap(([id, answer]) => {
    const value = plainAnswer(answer);
    return value === undefined ? [] : [[id, value] as const];
  });
  return Object.fromEntries(entries);
}

function plainAnswer(answer: ChatInputAnswer): PlainAnswer | undefined {
  if (answer.state === 'skipped') return undefined;
  const { value } = answer;
  if (value.kind === 'selected-many') return [...value.value, ...(value.freeformValues ?? [])];
  return value.kind === 'selected' ? value.value || value.freeformValues?.[0] : value.value;
}
