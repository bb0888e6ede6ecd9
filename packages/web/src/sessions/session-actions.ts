import type { Client } from '@moorage/client';
import { type PersonRole, ROOT_URI, type StateAction } from '@moorage/protocol';
import type { ListedSession } from '../connection/session-board.js';
import { plural } from '../ui/format.js';
import { showFailure, showToast } from '../ui/toasts.js';

/** What can be done with one or more sessions of the list. */
export interface SessionActions {
  /** Whether the person's role at the hosts of all these sessions allows something. */
  may(sessions: readonly ListedSession[], needed: PersonRole): boolean;
  archive(sessions: readonly ListedSession[], isArchived: boolean): void;
  markRead(sessions: readonly ListedSession[], isRead: boolean): void;
  remove(sessions: readonly ListedSession[]): void;
}

/** The client of the host that a session is on; undefined while that host is away. */
export type ClientOf = (session: ListedSession) => Client | undefined;

/** Requests sent at once. More would only wait in the host. */
const AT_ONCE = 10;

/** Archives sessions, or takes them out of the archive. Can be undone. */
export function archive(sessions: readonly ListedSession[], isArchived: boolean, clientOf: ClientOf): void {
  dispatchTo(sessions, { type: 'session/isArchivedChanged', isArchived }, clientOf);
  showToast({
    tone: 'done',
    text: `${countText(sessions)} ${isArchived ? 'archived' : 'unarchived'}.`,
    action: { label: 'Undo', run: () => archive(sessions, !isArchived, clientOf) },
  });
}

export function markRead(sessions: readonly ListedSession[], isRead: boolean, clientOf: ClientOf): void {
  dispatchTo(sessions, { type: 'session/isReadChanged', isRead }, clientOf);
}

/** Deletes sessions for everyone. Offers to restore them where the host can do that. */
export async function remove(sessions: readonly ListedSession[], clientOf: ClientOf): Promise<void> {
  const request = (method: 'disposeSession' | 'restoreSession') => (session: ListedSession) =>
    clientOf(session)?.request(method, { channel: session.resource }) ?? Promise.reject(new Error('The host is away'));
  const deleted = await inTurn(sessions, request('disposeSession'));
  const [first] = deleted;
  if (!first) return;
  const client = clientOf(first);
  const undo = { label: 'Undo', run: () => showFailure(inTurn(deleted, request('restoreSession'))) };
  const action = client && (await canRestore(client)) ? undo : undefined;
  showToast({ tone: 'done', text: `${countText(deleted)} deleted.`, action });
}

/** Not every host can restore sessions. */
export function canRestore(client: Client): Promise<boolean> {
  return client.request('listDisposedSessions', { channel: ROOT_URI }).then(
    () => true,
    () => false,
  );
}

/** Says the first failure, and returns the sessions for which there was none. */
async function inTurn(
  sessions: readonly ListedSession[],
  run: (session: ListedSession) => Promise<unknown>,
): Promise<ListedSession[]> {
  const done: ListedSession[] = [];
  let failure: Promise<unknown> | undefined;
  for (let at = 0; at < sessions.length; at += AT_ONCE) {
    const some = sessions.slice(at, at + AT_ONCE);
    const outcomes = await Promise.allSettled(some.map(run));
    outcomes.forEach((outcome, index) => {
      const session = some[index];
      if (outcome.status === 'rejected') failure ??= Promise.reject(outcome.reason);
      else if (session) done.push(session);
    });
  }
  showFailure(failure);
  return done;
}

function dispatchTo(sessions: readonly ListedSession[], action: StateAction, clientOf: ClientOf): void {
  for (const session of sessions) showFailure(clientOf(session)?.dispatch(session.resource, action));
}

function countText(sessions: readonly ListedSession[]): string {
  return sessions.length === 1 ? 'Session' : plural(sessions.length, 'session');
}
