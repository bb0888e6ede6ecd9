import {
  type ChatInputOption,
  type ChatInputQuestion,
  type ChatInputRequest,
  isObject,
  plainAnswers,
} from '@moorage/protocol';
import type { InputOutcome } from '../../ports/agent-questions.js';
import type { McpElicitation, McpElicitationAnswer } from '../../ports/mcp.js';
import { MAX_CHOICES, MAX_MESSAGE_CHARS, MAX_QUESTIONS } from './limits.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A server's elicitation as questions to the user. The id's prefix shows, even after a restart, that a server asked and
 * not an agent.
 */
export function questionsOf(id: string, server: string, { message, schema }: McpElicitation): ChatInputRequest {
  const mandatory = new Set(Array.isArray(schema.required) ? schema.required : []);
  const questions = Object.entries(fields(schema.properties))
    .slice(0, MAX_QUESTIONS)
    .map(([key, property]) => question(key, fields(property), mandatory.has(key)));
  const said = text(message) ?? 'It needs your input.';
  return { id: `${PREFIX}${id}`, message: `The MCP server "${server}" asks: ${said}`, questions };
}

/** The question to the user when a call needs a token that nobody has given yet (B-243). */
export function accessNeeded(id: string, server: string, isScope: boolean): ChatInputRequest {
  const what = isScope ? 'more permissions than it was given' : 'authentication';
  const message = `The MCP server "${server}" asks for ${what}. Grant it access, then go on; or decline to let the call fail.`;
  return { id: `${PREFIX}${id}`, message };
}

export function isServerRequest(requestId: string): boolean {
  return requestId.startsWith(PREFIX);
}

/** The user's answers in the form the server expects. */
export function answerTo(outcome: InputOutcome): McpElicitationAnswer {
  if (outcome.response !== 'accept') return { action: outcome.response };
  return { action: 'accept', content: plainAnswers(outcome.answers) };
}

function question(id: string, property: Fields, required: boolean): ChatInputQuestion {
  const title = text(property.title);
  const base = {
    id,
    message: text(property.description) ?? title ?? id,
    ...(title && { title }),
    ...(required && { required }),
  };
  const { type, default: preset } = property;
  switch (type) {
    case 'boolean':
      return { ...base, kind: type, ...(typeof preset === 'boolean' && { defaultValue: preset }) };
    case 'number':
    case 'integer': {
      const bounds = { ...number('min', property.minimum), ...number('max', property.maximum) };
      return { ...base, kind: type, ...bounds, ...number('defaultValue', preset) };
    }
    case 'array': {
      const items = fields(property.items);
      const presets = Array.isArray(preset) ? preset : [];
      const options = choices(items.anyOf ?? items.oneOf ?? items.enum, undefined, presets);
      return {
        ...base,
        kind: 'multi-select',
        options,
        ...count('min', property.minItems),
        ...count('max', property.maxItems),
      };
    }
    default: {
      const options = choices(property.oneOf ?? property.enum, property.enumNames, [preset]);
      if (options.length > 0) return { ...base, kind: 'single-select', options };
      const bounds = { ...count('min', property.minLength), ...count('max', property.maxLength) };
      const format = text(property.format);
      const defaultValue = typeof preset === 'string' ? { defaultValue: preset.slice(0, MAX_MESSAGE_CHARS) } : {};
      return { ...base, kind: 'text', ...(format && { format }), ...bounds, ...defaultValue };
    }
  }
}

function choices(offered: unknown, names: unknown, presets: readonly unknown[]): ChatInputOption[] {
  if (!Array.isArray(offered)) return [];
  return offered.slice(0, MAX_CHOICES).flatMap((item: unknown, index) => {
    const { const: value, title } = fields(item);
    const id = typeof item === 'string' ? item : value;
    if (typeof id !== 'string') return [];
    const name = text(title) ?? (Array.isArray(names) ? text(names[index]) : undefined) ?? id;
    return [{ id, label: name, ...(presets.includes(id) && { recommended: true }) }];
  });
}

function number<K extends string>(key: K, value: unknown): { [P in K]?: number } {
  return (typeof value === 'number' && Number.isFinite(value) ? { [key]: value } : {}) as { [P in K]?: number };
}

function count<K extends string>(key: K, value: unknown): { [P in K]?: number } {
  return Number.isSafeInteger(value) ? number(key, value) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_MESSAGE_CHARS) : undefined;
}

function fields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

const PREFIX = 'mcp-server-asks-';
