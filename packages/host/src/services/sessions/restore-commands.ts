import type { Handler, Handlers } from '../../core/handler.js';
import type { RestoredSessions } from './restored-sessions.js';

/** The commands for sessions that were removed: an extension of ours. Whoever may dispose of a session may restore it. */
export function restoreCommands(restored: RestoredSessions) {
  const listDisposedSessions: Handler<'listDisposedSessions'> = () => ({ items: restored.list() });

  const restoreSession: Handler<'restoreSession'> = ({ channel }) => {
    const restoring = restored.restore(channel);
    return restoring ? restoring.then(() => null) : null;
  };

  return { listDisposedSessions, restoreSession } satisfies Handlers;
}
