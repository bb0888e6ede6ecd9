import type { ChatInputQuestion, ChatInputRequest } from '@moorage/protocol';
import { colour } from '../output/out.js';
import { plain, plainLine } from '../output/plain.js';

/** What a request is about: its message and its link. */
export function requestText({ message, url }: ChatInputRequest): string {
  return [...(message ? [plain(message)] : []), ...(url ? [plainLine(url)] : [])].join('\n');
}

/** A question with its options, up to where the answer is typed. */
export function questionText(question: ChatInputQuestion): string {
  const options = 'options' in question ? question.options : [];
  const rows = options.map(({ label, description }, index) => {
    return `  ${index + 1}) ${plainLine(label)}${description ? colour.dim(`  ${plainLine(description)}`) : ''}`;
  });
  return [plain(question.message), ...rows, `Answer${hintOf(question)}: `].join('\n');
}

function hintOf(question: ChatInputQuestion): string {
  if (question.kind === 'boolean') return ' [y/n]';
  const several = question.kind === 'multi-select' ? ['several: 1,2'] : [];
  const own = 'options' in question && question.allowFreeformInput ? ['or your own'] : [];
  const hints = [...several, ...own];
  return hints.length > 0 ? ` (${hints.join(', ')})` : '';
}
