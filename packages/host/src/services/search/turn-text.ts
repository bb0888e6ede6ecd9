import type { Turn } from '@moorage/protocol';
import { MAX_TURN_CHARS } from './limits.js';

/** What was said in a turn: the message, and what the agent answered. Not what tools printed. */
export function turnText({ message, responseParts }: Turn): string {
  const said = responseParts.flatMap((part) => (part.kind === 'markdown' ? [part.content] : []));
  return [message.text, ...said].join('\n').slice(0, MAX_TURN_CHARS);
}
