import { WatchError, type Watcher } from '../../ports/watcher.js';
import { watchDeep } from './deep.js';
import { watchShallow } from './shallow.js';

/** The system's own watching: all below a folder with @parcel/watcher, a single folder with one watch of Node's. */
export function parcelWatcher(): Watcher {
  return {
    async watch(folder, recursive, listener, except) {
      try {
        return await (recursive ? watchDeep(folder, listener, except) : watchShallow(folder, listener));
      } catch (error) {
        throw new WatchError(`${folder} cannot be watched: ${error instanceof Error ? error.message : 'unknown'}`, {
          cause: error,
        });
      }
    },
  };
}
