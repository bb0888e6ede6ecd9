import {
  type ChatState,
  errorOf,
  type SessionInputRequest,
  type SessionState,
  type Turn,
  type URI,
  wordsOf,
} from '@moorage/protocol';
import type { UserNotification } from '../../ports/notifications.js';
import { MAX_BODY_CHARS, MAX_TITLE_CHARS } from './limits.js';

/** What a session waits for the user to do. A tool that a client runs by itself is not among it. */
export function needsOf({ inputNeeded = [] }: SessionState): SessionInputRequest[] {
  return inputNeeded.filter(({ kind }) => kind !== 'toolClientExecution');
}

/** Says what a session needs; the first of several, and how many more. */
export function needsYou(session: URI, { title }: SessionState, needs: readonly SessionInputRequest[]) {
  const [first, ...others] = needs;
  if (!first) return undefined;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const body = `${line(wordsFor(first), MAX_BODY_CHARS - more.length)}${more}`;
  return { topic: 'needsYou', title: line(`${titleOr(title)} needs you`), body, session, chat: first.chat } as const;
}

/** Says what became of a chat's last turn; undefined if the user ended it, or there is none. */
export function done(session: URI, { title }: SessionState, chat: ChatState): UserNotification | undefined {
  const turn = chat.turns.at(-1);
  if (!turn || turn.state === 'cancelled') return undefined;
  const failed = turn.state === 'error';
  const words = failed ? errorOf(turn)?.message : lastWords(turn);
  return {
    topic: 'done',
    title: line(`${titleOr(title)} ${failed ? 'failed' : 'is done'}`),
    body: line(words ?? '', MAX_BODY_CHARS),
    session,
    chat: chat.resource,
  };
}

function wordsFor(request: SessionInputRequest): string {
  switch (request.kind) {
    case 'chatInput': {
      const [question] = request.request.questions ?? [];
      return `Asks: ${request.request.message ?? question?.message ?? question?.title ?? 'a question'}`;
    }
    case 'toolAuthentication':
      return `Needs a token: ${request.toolCall.displayName}`;
    default: {
      const { toolCall } = request;
      const words = 'invocationMessage' in toolCall && toolCall.invocationMessage;
      return `Wants approval: ${words ? wordsOf(words) : toolCall.displayName}`;
    }
  }
}

function lastWords({ responseParts }: Turn): string | undefined {
  const part = responseParts.findLast((one) => one.kind === 'markdown');
  return part?.kind === 'markdown' ? part.content : undefined;
}

function titleOr(title: string): string {
  return title.slice(0, MAX_TITLE_CHARS - 20) || 'A session';
}

/** On one line, and not too long. */
function line(text: string, max = MAX_TITLE_CHARS): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length <= max ? flat : `${flat.slice(0, max - 1)}…`;
}
