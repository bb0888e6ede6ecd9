import { activityOf, SessionStatus } from '@moorage/protocol';

/** What a session may be doing, as `moorage ls --state` takes it. */
export const STATES = ['needs-you', 'working', 'failed', 'idle'] as const;
export type State = (typeof STATES)[number];

export function stateOf(status: number): State {
  switch (activityOf(status)) {
    case SessionStatus.InputNeeded:
      return 'needs-you';
    case SessionStatus.InProgress:
      return 'working';
    case SessionStatus.Error:
      return 'failed';
    default:
      return 'idle';
  }
}

/** The same in words. */
export function activityName(status: number): string {
  return stateOf(status).replace('-', ' ');
}

export function isArchived(status: number): boolean {
  return (status & SessionStatus.IsArchived) !== 0;
}

export function isUnread(status: number): boolean {
  return (status & SessionStatus.IsRead) === 0;
}

/** How long ago, short enough for a table. */
export function ago(time: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - time) / 1000));
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h ago` : `${Math.floor(seconds / 86_400)}d ago`;
}
