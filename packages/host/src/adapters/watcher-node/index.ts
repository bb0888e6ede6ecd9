import { WatchError, type Watcher } from '../../ports/watcher.js';
import { watchTree } from './inotify.js';
import type { watchDeep } from './parcel.js';
import { watchShallow } from './shallow.js';

/** Watches with Node's watchers on Linux and for single folders, and with @parcel/watcher otherwise. */
export function nodeWatcher(): Watcher {
  return {
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

/** Loads the native code of @parcel/watcher only where it is used. */
const watchAll: typeof watchDeep =
  process.platform === 'linux' ? watchTree : async (...args) => (await import('./parcel.js')).watchDeep(...args);
