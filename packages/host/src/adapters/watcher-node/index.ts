import { WatchError, type Watcher } from '../../ports/watcher.js';
import { watchTree } from './inotify.js';
import type { watchDeep } from './parcel.js';
import { watchShallow } from './shallow.js';

/** The system's own watching: on Linux and for a single folder with Node's watches, else with @parcel/watcher. */
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

/** Native code is loaded only where it is used. */
const watchAll: typeof watchDeep =
  process.platform === 'linux' ? watchTree : async (...args) => (await import('./parcel.js')).watchDeep(...args);
