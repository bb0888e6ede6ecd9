import { activityOf, SessionStatus } from '@moorage/protocol';

/**
 * - `idle`: no turn runs
 * - `running`: a turn runs
 * - `waiting`: a turn runs, and waits for a user: see `pendingRequests`
 * - `failed`: the last turn ended in an error
 * - `unknown`: something that a later version of the protocol added
 */
export type Activity = 'idle' | 'running' | 'waiting' | 'failed' | 'unknown';

/** What the status number of a session or a chat says. */
export interface StatusInfo {
  /** What the session or chat is doing; the first thing to show of it. */
  readonly activity: Activity;
  /** Whether a user has seen the newest. */
  readonly isRead: boolean;
  /** Whether a user has put it away. */
  readonly isArchived: boolean;
}

/** Reads a status. Its bits are a trap: that of "running" is also set while the agent waits for a user. */
export function readStatus(status: number): StatusInfo {
  return {
    activity: ACTIVITIES.get(activityOf(status)) ?? 'unknown',
    isRead: (status & SessionStatus.IsRead) !== 0,
    isArchived: (status & SessionStatus.IsArchived) !== 0,
  };
}

const ACTIVITIES: ReadonlyMap<number, Activity> = /* @__PURE__ */ new Map([
  [SessionStatus.Idle, 'idle'],
  [SessionStatus.Error, 'failed'],
  [SessionStatus.InProgress, 'running'],
  [SessionStatus.InputNeeded, 'waiting'],
]);
