import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { InputOutcome } from '@moorage/host/ports';
import { type ChatInputQuestion, type ChatInputRequest, plainAnswers } from '@moorage/protocol';
import { fields, label, list } from '../../shared/untrusted.js';
import { MAX_CHOICES, MAX_QUESTIONS } from './limits.js';
import { permissionOutcome } from './permission.js';

/**
 * The questions of a request for permission that is none: Qwen Code asks for permission to "submit" answers, and reads them
 * beside the outcome. Undefined for a real request.
 */
export function permissionQuestions(id: string, params: unknown): ChatInputRequest | undefined {
  const { _meta, title } = fields(fields(params).toolCall);
  const { qwenInteractionKind, qwenQuestions } = fields(_meta);
  if (qwenInteractionKind !== 'user_question') return undefined;
  const questions = list(qwenQuestions).slice(0, MAX_QUESTIONS).map(question);
  const message = label(title);
  return questions.length === 0 ? undefined : { id, ...(message && { message }), questions };
}

/** The answers as the agent reads them, by the number of their question; texts, also where several were chosen. */
export function questionsAnswer(outcome: InputOutcome, options: unknown): RequestPermissionResponse {
  if (outcome.response !== 'accept') {
    const reason = outcome.response === 'decline' ? 'denied' : 'cancelled';
    return { outcome: permissionOutcome({ approved: false, reason }, options) };
  }
  const plain = Object.entries(plainAnswers(outcome.answers));
  const answers = Object.fromEntries(plain.map(([key, value]) => [key, [value].flat().join(', ')]));
  const answered = { outcome: permissionOutcome({ approved: true }, options), answers };
  return answered; // the type of the response does not know about answers
}

function question(value: unknown, index: number): ChatInputQuestion {
  const { question: asked, header, options, multiSelect } = fields(value);
  const title = label(header);
  const base = { id: String(index), message: label(asked) ?? title ?? '?', ...(title && { title }), required: true };
  const choices = list(options)
    .slice(0, MAX_CHOICES)
    .flatMap((option) => {
      const { label: name, description } = fields(option);
      const id = label(name);
      const more = label(description);
      return id === undefined ? [] : [{ id, label: id, ...(more && { description: more }) }];
    });
  if (choices.length === 0) return { ...base, kind: 'text' };
  const kind = multiSelect === true ? 'multi-select' : 'single-select';
  return { ...base, kind, options: choices, allowFreeformInput: true };
}
