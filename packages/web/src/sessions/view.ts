import { useState } from 'react';
import { keyOf, type ListedSession } from '../connection/session-board.js';
import { type Mood, moodOf } from '../ui/mood.js';
import { isArchived, isUnread, modifiedAt, ordered, projectOf } from './order.js';

/** Which sessions the list shows, and in which groups. */
export interface SessionView {
  readonly filter: Filter;
  readonly groups: 'time' | 'project';
}

export type Filter = 'all' | 'needs-you' | 'working' | 'error' | 'unread' | 'archived';

export const FILTERS: readonly (readonly [Filter, string])[] = [
  ['all', 'All sessions'],
  ['needs-you', 'Needs you'],
  ['working', 'Working'],
  ['error', 'Failed'],
  ['unread', 'Unread'],
  ['archived', 'Archived'],
];

export interface SessionGroup {
  /** Empty for the results of a search, which are in the order in which they match. */
  readonly label: string;
  readonly sessions: readonly ListedSession[];
}

const DEFAULT: SessionView = { filter: 'all', groups: 'time' };
const KEY = 'moorage.list';
const DAY_MS = 24 * 60 * 60 * 1000;

/** The view, kept in this browser. The filter is not: whoever comes back wants to see everything. */
export function useSessionView(): readonly [SessionView, (view: SessionView) => void] {
  const [view, setView] = useState<SessionView>(() => ({
    ...DEFAULT,
    groups: localStorage.getItem(KEY) === 'project' ? 'project' : 'time',
  }));
  return [
    view,
    (next) => {
      localStorage.setItem(KEY, next.groups);
      setView(next);
    },
  ];
}

export function passes(session: ListedSession, filter: Filter): boolean {
  if (filter === 'archived') return isArchived(session);
  if (isArchived(session)) return false;
  if (filter === 'unread') return isUnread(session);
  return filter === 'all' || moodOf(session.status) === filter;
}

/** The sessions as the list shows them. */
export function groupsOf(
  sessions: readonly ListedSession[],
  { filter, groups }: SessionView,
  query: string,
  now: number,
): readonly SessionGroup[] {
  const shown = ordered(
    sessions.filter((session) => passes(session, filter)),
    query,
  );
  if (query.trim() !== '') return shown.length > 0 ? [{ label: '', sessions: shown }] : [];
  const label = groups === 'project' ? (session: ListedSession) => projectOf(session) || 'No folder' : timeLabel(now);
  const found = new Map<string, ListedSession[]>();
  for (const session of shown) {
    const members = found.get(label(session));
    if (members) members.push(session);
    else found.set(label(session), [session]);
  }
  const labels = groups === 'project' ? byNewest(found) : TIME_LABELS;
  return labels.flatMap((name) => {
    const members = found.get(name);
    return members ? [{ label: name, sessions: members }] : [];
  });
}

/** The session after or before another one in the list; the first or last one if that is not in it. */
export function neighbour(
  shown: readonly ListedSession[],
  key: string | undefined,
  step: 1 | -1,
): ListedSession | undefined {
  const at = shown.findIndex((session) => keyOf(session) === key);
  if (at < 0) return step > 0 ? shown[0] : shown.at(-1);
  return shown[at + step];
}

const TIME_LABELS = ['Needs you', 'Working', 'Today', 'This week', 'Older'] as const;
const MOOD_GROUPS: Partial<Record<Mood, (typeof TIME_LABELS)[number]>> = {
  'needs-you': 'Needs you',
  working: 'Working',
};

function timeLabel(now: number): (session: ListedSession) => string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  return (session) => {
    const group = MOOD_GROUPS[moodOf(session.status)];
    if (group) return group;
    const at = modifiedAt(session);
    if (at >= today) return 'Today';
    return at >= today - 6 * DAY_MS ? 'This week' : 'Older';
  };
}

function byNewest(groups: ReadonlyMap<string, readonly ListedSession[]>): readonly string[] {
  const newest = (label: string) => (groups.get(label) ?? []).reduce((at, each) => Math.max(at, modifiedAt(each)), 0);
  return [...groups.keys()].sort((a, b) => newest(b) - newest(a));
}
