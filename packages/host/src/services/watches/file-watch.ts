import { basename, dirname, relative, sep } from 'node:path';
import type { CreateResourceWatchParams, ResourceChange } from '@moorage/protocol';
import { escapedPath } from '@moorage/protocol/internal';
import type { FileDescription } from '../../ports/files.js';
import type { PathChange, Watcher, Watching, WatchListener } from '../../ports/watcher.js';
import { compileFilter } from './filter.js';

export interface FileWatchListener {
  changed(changes: ResourceChange[]): void;
  missed(): void;
  lost(): void;
}

/** Watches a resolved file or folder, and reports changes as URIs below the one the client named. */
export async function watchFile(
  watcher: Watcher,
  { realPath, type }: FileDescription,
  params: CreateResourceWatchParams,
  listener: FileWatchListener,
): Promise<Watching> {
  const isFolder = type === 'directory';
  const passesFilter = compileFilter(params);
  const base = params.uri.replace(/\/+$/, '');
  const toChange = ({ path, type: change }: PathChange): ResourceChange[] => {
    const inside = relative(realPath, path).split(sep).join('/');
    if (inside === '') return [{ uri: params.uri, type: change }];
    if (inside.startsWith('../') || inside === '..' || !passesFilter(inside)) return [];
    return [{ uri: `${base}/${escapedPath(inside)}`, type: change }];
  };
  // Watches the folder of a file, because many programs replace a file instead of writing to it.
  const folder = isFolder ? realPath : dirname(realPath);
  const reporting: WatchListener = {
    changed(changes) {
      const reported = changes.flatMap(toChange);
      if (reported.length > 0) listener.changed(reported);
    },
    missed: () => listener.missed(),
    ended: () => listener.lost(),
  };
  const bounds = isFolder ? {} : { only: [basename(realPath)] };
  return watcher.watch(folder, isFolder && params.recursive === true, reporting, bounds);
}
