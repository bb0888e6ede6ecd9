import uFuzzy from '@leeoniya/ufuzzy';
import { primaryDirectory, SessionStatus, type SessionSummary } from '@moorage/protocol';
import type { ListedSession } from '../connection/session-board.js';
import { nameOf } from '../ui/format.js';
import { MOOD_LABELS, moodOf } from '../ui/mood.js';

export function isArchived({ status }: SessionSummary): boolean {
  return (status & SessionStatus.IsArchived) !== 0;
}

export function isUnread({ status }: SessionSummary): boolean {
  return (status & SessionStatus.IsRead) === 0;
}

/** Milliseconds since the epoch; 0 for what is no time, so that it comes last. */
export function modifiedAt(session: SessionSummary): number {
  return Date.parse(session.modifiedAt) || 0;
}

export function waitingIn<S extends SessionSummary>(sessions: readonly S[]): S[] {
  return sessions.filter((session) => !isArchived(session) && waits(session));
}

/** The folder that the session was started for. A work tree has a name that nobody chose. */
export function projectOf(session: Pick<SessionSummary, 'project' | 'workingDirectories'>): string {
  return session.project?.displayName || nameOf(primaryDirectory(session));
}

/**
 * What is called exactly like the query first, then what contains its words, then what resembles it; among these, sessions
 * that wait for the user, then the newest.
 */
export function ordered(sessions: readonly ListedSession[], query: string): ListedSession[] {
  const newest = [...sessions].sort((a, b) => waits(b) - waits(a) || modifiedAt(b) - modifiedAt(a));
  if (query.trim() === '') return newest;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const texts = newest.map(searchedText);
  const resembling = new Set(FUZZY.search(texts, query, MAX_REORDERED)[0] ?? []);
  const rank = (at: number): number => {
    if (isSameName(newest[at]?.title ?? '', query)) return 0;
    if (words.every((word) => texts[at]?.toLowerCase().includes(word))) return 1;
    return resembling.has(at) ? 2 : NO_MATCH;
  };
  return newest
    .map((session, at) => ({ session, rank: rank(at) }))
    .filter((found) => found.rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ session }) => session);
}

export function isSameName(name: string, query: string): boolean {
  return query.trim() !== '' && name.trim().toLowerCase() === query.trim().toLowerCase();
}

const NO_MATCH = 3;
/** Words whose order does not matter. Each more multiplies the work. */
const MAX_REORDERED = 4;
/** Letters of every script; one letter of a word may be missing in the query. */
const FUZZY = new uFuzzy({
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
  intraIns: 1,
});

function waits({ status }: SessionSummary): number {
  return moodOf(status) === 'needs-you' ? 1 : 0;
}

function searchedText(session: ListedSession): string {
  const { title, provider, activity, host, status } = session;
  const folder = primaryDirectory(session) ?? '';
  return [title, projectOf(session), MOOD_LABELS[moodOf(status)], activity, provider, host?.name, folder].join(' ');
}
