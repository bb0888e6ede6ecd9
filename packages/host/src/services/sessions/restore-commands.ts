import type { Handler, Handlers } from '../../core/handler.js';
import type { RestoredSessions } from './restored-sessions.js';

/** Commands for disposed sessions, an extension of ours. Whoever may dispose a session may restore it. */
export function restoreCommands(restored: RestoredSessions) {
  const listDisposedSessions: Handler<'listDisposedSessions'> = () => ({ items: restored.list() });

  const restoreSession: Handler<'restoreSession'> = ({ channel }) => {
    const restoring = restored.restore(channel);
    return restoring ? restoring.then(() => null) : null;
  };

  return { listDisposedSessions, restoreSession } satisfies Handlers;
}
