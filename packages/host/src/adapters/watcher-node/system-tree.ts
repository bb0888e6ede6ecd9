import { lstatSync, watch } from 'node:fs';
import { join } from 'node:path';
import { isInside } from '../../paths/inside.js';
import type { PathChange, Watching, WatchListener } from '../../ports/watcher.js';

/**
 * Watches a folder and everything below it with one watch, on systems that offer that (macOS, Windows; not Linux). Not
 * tested on those systems: the contract is run on Linux, where Node imitates it.
 */
export async function watchSystemTree(
  folder: string,
  listener: WatchListener,
  except: readonly string[] = [],
): Promise<Watching> {
  let isActive = true;
  const stop = () => {
    isActive = false;
    watcher.close();
  };
  const end = () => {
    stop();
    listener.changed([{ path: folder, type: 'deleted' }]);
    listener.ended();
  };
  const watcher = watch(folder, { persistent: false, recursive: true }, (event, name) => {
    if (!isActive) return;
    if (!exists(folder)) return end();
    if (name === null) return listener.missed();
    const path = join(folder, name);
    if (except.some((left) => isInside(path, left))) return;
    listener.changed([{ path, type: typeOf(event, path) }]);
  });
  watcher.on('error', () => {
    if (!isActive) return;
    if (exists(folder)) listener.missed();
    else end();
  });
  return { stop };
}

/** The system tells contents from names; whether a name came or went, only the disk says. */
function typeOf(event: string, path: string): PathChange['type'] {
  if (!exists(path)) return 'deleted';
  return event === 'change' ? 'updated' : 'added';
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
