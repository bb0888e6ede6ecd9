import { WatchError, type Watcher } from '../../ports/watcher.js';
import { watchTree } from './inotify.js';
import { Marks } from './marks.js';
import { watchShallow } from './shallow.js';
import { watchSystemTree } from './system-tree.js';

/** Watches with Node's watchers: on Linux one for each folder, elsewhere one for a whole tree. */
export function nodeWatcher(platform: string = process.platform): Watcher {
  const isLinux = platform === 'linux';
  const watchAll = isLinux ? watchTree : watchSystemTree;
  return {
    ...(isLinux && { caughtUp: () => MARKS.caughtUp() }),
    async watch(folder, recursive, listener, except) {
      try {
        return await (recursive ? watchAll(folder, listener, except) : watchShallow(folder, listener));
      } catch (error) {
        throw new WatchError(`${folder} cannot be watched: ${error instanceof Error ? error.message : 'unknown'}`, {
          cause: error,
        });
      }
    },
  };
}

/** One for the process, as its queue of events is. */
const MARKS = new Marks();
