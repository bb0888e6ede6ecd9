import { primaryDirectory, SessionStatus, type SessionSummary } from '@moorage/protocol';
import type { ListedSession } from '../connection/session-board.js';
import { moodOf } from '../ui/mood.js';

export function isArchived({ status }: SessionSummary): boolean {
  return (status & SessionStatus.IsArchived) !== 0;
}

/** What is called exactly like the query first, then sessions that wait for the user, then the newest. */
export function ordered(sessions: readonly ListedSession[], query: string, archived: boolean): ListedSession[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions
    .filter((session) => isArchived(session) === archived && matches(session, words))
    .sort((a, b) => isNamed(b, query) - isNamed(a, query) || waits(b) - waits(a) || modifiedAt(b) - modifiedAt(a));
}

/** Milliseconds since the epoch; 0 for what is no time, so that it comes last. */
export function modifiedAt(session: SessionSummary): number {
  return Date.parse(session.modifiedAt) || 0;
}

export function waitingIn<S extends SessionSummary>(sessions: readonly S[]): S[] {
  return sessions.filter((session) => !isArchived(session) && waits(session));
}

function waits({ status }: SessionSummary): number {
  return moodOf(status) === 'needs-you' ? 1 : 0;
}

function isNamed({ title }: SessionSummary, query: string): number {
  return isSameName(title, query) ? 1 : 0;
}

export function isSameName(name: string, query: string): boolean {
  return query.trim() !== '' && name.trim().toLowerCase() === query.trim().toLowerCase();
}

function matches(session: ListedSession, words: readonly string[]): boolean {
  const { title, provider, activity, host } = session;
  const text = `${title} ${provider} ${primaryDirectory(session) ?? ''} ${activity ?? ''} ${host?.name ?? ''}`;
  return words.every((word) => text.toLowerCase().includes(word));
}
