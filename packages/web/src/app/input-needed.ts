import { type SessionInputRequest, SessionInputRequestKind } from '@moorage/protocol';
import { visible } from '../ui/visible.js';

/** Characters of a question on one line. */
const MAX_CHARS = 80;

/** What a session waits for, in a few words. */
export function neededText(needed: SessionInputRequest): string {
  switch (needed.kind) {
    case SessionInputRequestKind.ChatInput:
      return firstLine(needed.request.questions?.[0]?.message ?? needed.request.message) || 'an answer';
    case SessionInputRequestKind.ToolAuthentication:
      return `a token for ${visible(needed.toolCall.displayName)}`;
    default:
      return visible(needed.toolCall.displayName);
  }
}

function firstLine(text: string | undefined): string {
  const line = visible((text ?? '').trim().split('\n', 1)[0] ?? '');
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line;
}
