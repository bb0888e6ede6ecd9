import { activityOf, SessionStatus } from '@moorage/protocol';

export type Mood = 'needs-you' | 'working' | 'error' | 'unread' | 'idle';

/** Sums up a session's status for display. */
export function moodOf(status: number): Mood {
  const activity = activityOf(status);
  if (activity === SessionStatus.InputNeeded) return 'needs-you';
  if (activity === SessionStatus.InProgress) return 'working';
  if (activity === SessionStatus.Error) return 'error';
  return status & SessionStatus.IsRead ? 'idle' : 'unread';
}

export const MOOD_LABELS: Readonly<Record<Mood, string>> = {
  'needs-you': 'Needs you',
  working: 'Working',
  error: 'Error',
  unread: 'Unread',
  idle: 'Idle',
};
