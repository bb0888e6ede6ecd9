import type { InputOutcome } from '@moorage/host/ports';
import { type ChatInputOption, type ChatInputQuestion, type ChatInputRequest, plainAnswers } from '@moorage/protocol';
import { type Fields, fields, label, list, text } from '../../shared/untrusted.js';
import { MAX_CHOICES, MAX_QUESTIONS } from './limits.js';

/** An agent's form as questions to the user; undefined when there is nothing to ask. */
export function inputRequest(id: string, params: unknown): ChatInputRequest | undefined {
  const { message, requestedSchema } = fields(params);
  const { properties, required } = fields(requestedSchema);
  const mandatory = new Set(list(required));
  const questions = Object.entries(fields(properties))
    .slice(0, MAX_QUESTIONS)
    .map(([key, property]) => question(key, fields(property), mandatory.has(key)));
  if (questions.length === 0) return undefined;
  const said = label(message, MAX_MESSAGE_CHARS);
  return { id, ...(said && { message: said }), questions };
}

/** The user's answers in the form that the agent asked for. */
export function elicitationAnswer(outcome: InputOutcome) {
  if (outcome.response !== 'accept') return { action: outcome.response };
  return { action: 'accept', content: plainAnswers(outcome.answers) };
}

function question(id: string, property: Fields, required: boolean): ChatInputQuestion {
  const title = label(property.title);
  const message = label(property.description, MAX_MESSAGE_CHARS) ?? title ?? id;
  const base = { id, message, ...(title && { title }), ...(required && { required }) };
  const { type } = property;
  if (type === 'boolean') return { ...base, kind: 'boolean' };
  if (type === 'number' || type === 'integer') return { ...base, kind: type };
  if (type === 'array') {
    const items = fields(property.items);
    return { ...base, kind: 'multi-select', options: choices(items.anyOf ?? items.oneOf ?? items.enum) };
  }
  const options = choices(property.oneOf ?? property.enum);
  return options.length > 0 ? { ...base, kind: 'single-select', options } : { ...base, kind: 'text' };
}

function choices(offered: unknown): ChatInputOption[] {
  return list(offered)
    .slice(0, MAX_CHOICES)
    .flatMap((item) => {
      const plain = text(item);
      const { const: value, title, description } = fields(item);
      const id = plain ?? text(value);
      if (!id) return [];
      const more = label(description);
      return { id, label: label(title) ?? id, ...(more && { description: more }) };
    });
}

/** UTF-16 units of a question, which may explain itself at length. */
const MAX_MESSAGE_CHARS = 4_000;
