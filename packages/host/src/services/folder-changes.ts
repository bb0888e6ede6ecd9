import type { URI } from '@moorage/protocol';
import type { Clock } from '../ports/clock.js';
import type { Folders } from '../ports/folders.js';
import type { Log } from '../ports/log.js';
import type { Watcher } from '../ports/watcher.js';
import type { WorkspaceListener, Workspaces } from '../ports/workspace.js';

/** Milliseconds without a change after which a folder counts as settled. */
const QUIET_MS = 200;

/** Notifies services of changes in a session's folder. All of them share one watch. */
export class FolderChanges {
  readonly #options: FolderChangesOptions;

  constructor(options: FolderChangesOptions) {
    this.#options = options;
  }

  /** Returns how to stop. A folder that cannot be watched never notifies. */
  listen(folder: URI, listener: WorkspaceListener): () => void {
    const { workspaces, folders, log } = this.#options;
    try {
      const path = folders.resolve(folder);
      return workspaces ? workspaces.open(path).watch(listener) : this.#watch(path, listener);
    } catch (error) {
      log.write('debug', 'folder.watch-failed', 'a folder cannot be watched', { folder, error: String(error) });
      return () => {};
    }
  }

  #watch(folder: string, listener: WorkspaceListener): () => void {
    const { watcher, clock, log } = this.#options;
    let isWanted = true;
    let quiet: unknown;
    let stop = () => {};
    const touched = (paths: readonly string[]) => {
      if (!isWanted) return;
      listener.touched?.(paths);
      clock.clearTimeout(quiet);
      quiet = clock.setTimeout(() => listener.settled?.(), QUIET_MS);
    };
    const inside = (path: string) => path.slice(folder.length + 1).replaceAll('\\', '/');
    watcher
      .watch(folder, true, {
        changed: (changes) => touched(changes.map(({ path }) => inside(path))),
        missed: () => touched([]),
        ended: () => touched([]),
      })
      .then(
        (watching) => {
          stop = () => watching.stop();
          if (!isWanted) return stop();
          listener.watching?.();
        },
        (error: unknown) =>
          log.write('warn', 'folder.watch-failed', 'a folder cannot be watched', { folder, error: String(error) }),
      );
    return () => {
      isWanted = false;
      clock.clearTimeout(quiet);
      stop();
    };
  }
}

export interface FolderChangesOptions {
  readonly workspaces: Workspaces | undefined;
  readonly watcher: Watcher;
  readonly folders: Folders;
  readonly clock: Clock;
  readonly log: Log;
}
