import type { Client } from '@moorage/client';
import { useClient } from '../connection/context.js';
import type { RemoteHost } from '../connection/remote-hosts.js';
import { rightsOf } from '../connection/rights.js';
import { keyOf, type ListedSession } from '../connection/session-board.js';
import { ordered, waitingIn } from '../sessions/order.js';
import { archive, markRead, remove, type SessionActions } from '../sessions/session-actions.js';
import { groupsOf, neighbour, type SessionView } from '../sessions/view.js';
import { showFailure } from '../ui/toasts.js';

interface Options {
  readonly sessions: readonly ListedSession[] | undefined;
  readonly hosts: readonly RemoteHost[];
  readonly view: SessionView;
  /** The key of the open session. */
  readonly selected: string | undefined;
  readonly open: (session: ListedSession) => void;
  readonly openNew: () => void;
}

interface Commands {
  readonly actions: SessionActions;
  /** Opens the next or previous session of the list. */
  step(by: 1 | -1): void;
  nextWaiting(): void;
}

/** What can be done with sessions from anywhere on the page. */
export function useSessionCommands({ sessions = [], hosts, view, selected, open, openNew }: Options): Commands {
  const client = useClient();
  const clientOf = (session: ListedSession): Client | undefined => {
    if (!session.host) return client;
    const connection = hosts.find(({ entry }) => entry.id === session.host?.id)?.connection;
    return connection?.state === 'connected' ? connection.client : undefined;
  };
  const inOrder = () => groupsOf(sessions, view, '', Date.now()).flatMap((group) => group.sessions);
  /** If the open session is one of these, opens the next one that stays in the list. */
  const leave = (these: readonly ListedSession[]) => {
    const keys = new Set(these.map(keyOf));
    if (selected === undefined || !keys.has(selected)) return;
    const shown = inOrder();
    const at = shown.findIndex((session) => keyOf(session) === selected);
    const isStaying = (session: ListedSession) => !keys.has(keyOf(session));
    const next = shown.slice(at + 1).find(isStaying) ?? shown.slice(0, Math.max(at, 0)).findLast(isStaying);
    if (next) open(next);
    else openNew();
  };
  return {
    actions: {
      may: (these, needed) =>
        these.every((session) => {
          const at = clientOf(session);
          return at === undefined || rightsOf(at).may(needed);
        }),
      archive(these, isArchived) {
        if (isArchived) leave(these);
        archive(these, isArchived, clientOf);
      },
      markRead(these, isRead) {
        if (!isRead) leave(these); // whatever is open is read
        markRead(these, isRead, clientOf);
      },
      remove(these) {
        leave(these);
        showFailure(remove(these, clientOf));
      },
    },
    step(by) {
      const next = neighbour(inOrder(), selected, by);
      if (next) open(next);
    },
    nextWaiting() {
      const waiting = waitingIn(ordered(sessions, ''));
      const next = neighbour(waiting, selected, 1) ?? waiting[0];
      if (next) open(next);
    },
  };
}
