import type { ModelMessage } from 'ai';

/** UTF-16 units per token. Deliberately low: endpoints count differently, and counting too few tokens is worse. */
const CHARS_PER_TOKEN = 3.5;

/** Tokens of one image, whatever its size: what common models need for a large one. */
const IMAGE_TOKENS = 1_600;

export function textTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

/** UTF-16 units that take about so many tokens. */
export function charsOf(tokens: number): number {
  return Math.floor(tokens * CHARS_PER_TOKEN);
}

/** About how many tokens the messages take. */
export function messageTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, { content }) => sum + contentTokens(content), 0);
}

function contentTokens(content: ModelMessage['content']): number {
  if (typeof content === 'string') return textTokens(content);
  let tokens = 0;
  for (const part of content) {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        tokens += textTokens(part.text);
        break;
      case 'tool-call':
        tokens += textTokens(JSON.stringify(part.input));
        break;
      case 'tool-result':
        tokens += textTokens(JSON.stringify(part.output));
        break;
      default:
        tokens += IMAGE_TOKENS;
    }
  }
  return tokens;
}
