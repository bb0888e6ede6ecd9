import { WatchError, type Watcher } from '../../ports/watcher.js';
import { watchTree } from './inotify.js';
import { Marks } from './marks.js';
import { watchShallow } from './shallow.js';
import { watchSystemTree } from './system-tree.js';

export interface NodeWatcherOptions {
  /** A folder for small files by which the watcher finds out how far it is; default: a temporary one. */
  readonly marks?: string;
  /** As in `process.platform`; default: this one. */
  readonly platform?: string;
}

/** Watches with Node's watchers: on Linux one for each folder, elsewhere one for a whole tree. */
export function nodeWatcher({ marks: folder, platform = process.platform }: NodeWatcherOptions = {}): Watcher {
  const isLinux = platform === 'linux';
  const marks = new Marks(folder);
  const watchAll = isLinux ? watchTree : watchSystemTree;
  return {
    ...(isLinux && { caughtUp: marks.caughtUp }),
    async watch(folder, recursive, listener, { except, only } = {}) {
      try {
        const watching = await (recursive ? watchAll(folder, listener, except) : watchShallow(folder, listener, only));
        return marks.neededBy(watching);
      } catch (error) {
        throw new WatchError(`${folder} cannot be watched: ${error instanceof Error ? error.message : 'unknown'}`, {
          cause: error,
        });
      }
    },
  };
}
