import type { ModelMessage } from 'ai';
import { cutMiddle } from '../tools/cut.js';

/** UTF-16 units of one part in a transcript to be summarised, and in an excerpt that replaces a summary. */
const PART_CHARS = 2_000;
const EXCERPT_PART_CHARS = 200;

/** UTF-16 units of a whole excerpt. */
const EXCERPT_CHARS = 8_000;

/** Messages as plain text: `whole` to be summarised by a model with `budget` tokens, `excerpt` if that fails. */
export function transcriptOf(messages: readonly ModelMessage[], budget: number): { whole: string; excerpt: string } {
  return {
    whole: cutMiddle(lines(messages, PART_CHARS), Math.floor(budget * 2)),
    excerpt: cutMiddle(lines(messages, EXCERPT_PART_CHARS), Math.min(EXCERPT_CHARS, budget)),
  };
}

function lines(messages: readonly ModelMessage[], partChars: number): string {
  return messages
    .flatMap(({ role, content }) => texts(content).map((text) => `${role}: ${cutMiddle(text, partChars)}`))
    .join('\n');
}

function texts(content: ModelMessage['content']): string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return [part.text];
      case 'tool-call':
        return [`calls ${part.toolName} ${JSON.stringify(part.input)}`];
      case 'tool-result':
        return [`${part.toolName} gave ${'value' in part.output ? String(part.output.value) : ''}`];
      case 'reasoning':
        return [];
      default:
        return ['(an image or a file)'];
    }
  });
}
