import { Loading } from '../ui/Loading.js';

/** Shown while no session is open. */
export function Empty({ hasSessions, loading, onNew }: { hasSessions: boolean; loading: boolean; onNew: () => void }) {
  if (loading) return <Loading what="sessions" />;
  return (
    <main className="gate">
      <h1>{hasSessions ? 'Choose a session' : 'Start with a session'}</h1>
      <p>
        {hasSessions
          ? 'Open one from the list, or find one with the palette.'
          : 'A session is an agent at work in a folder. You can watch it, steer it and review what it changed.'}
      </p>
      <button type="button" className="button primary" onClick={onNew}>
        New session
      </button>
      <p className="quiet">
        <kbd>Ctrl</kbd> <kbd>K</kbd> palette · <kbd>Ctrl</kbd> <kbd>/</kbd> all keys
      </p>
    </main>
  );
}
