import { subscribe } from '@parcel/watcher';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { WATCH_PATIENCE_MS, WATCH_QUIET_MS } from './limits.js';

/** Calls back once a folder has been quiet for a moment after something changed in it, or after a while when it never is. */
export function watchFolder(folder: string, onChanged: () => void, clock: Clock, log: Log): () => void {
  let quiet: unknown;
  let patience: unknown;
  let stopped = false;
  const tell = () => {
    clock.clearTimeout(quiet);
    clock.clearTimeout(patience);
    patience = undefined;
    if (!stopped) onChanged();
  };
  const touched = () => {
    clock.clearTimeout(quiet);
    quiet = clock.setTimeout(tell, WATCH_QUIET_MS);
    patience ??= clock.setTimeout(tell, WATCH_PATIENCE_MS);
  };
  const subscription = subscribe(folder, (error, events) => {
    // Lost events mean that anything may have changed: look at everything, as for any other change.
    if (error) log.write('warn', 'the watcher of a folder failed', { folder, error: error.message });
    if (error || events.length > 0) touched();
  });
  subscription.catch((error: unknown) =>
    log.write('warn', 'a folder cannot be watched', { folder, error: String(error) }),
  );
  return () => {
    stopped = true;
    clock.clearTimeout(quiet);
    clock.clearTimeout(patience);
    subscription.then((active) => active.unsubscribe()).catch(() => undefined);
  };
}
