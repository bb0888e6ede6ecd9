import { basename, dirname, relative, sep } from 'node:path';
import type { CreateResourceWatchParams, ResourceChange } from '@ahpd/protocol';
import { escapedPath } from '@ahpd/protocol/internal';
import type { FileDescription } from '../../ports/files.js';
import type { PathChange, Watcher, Watching } from '../../ports/watcher.js';
import { compileFilter } from './filter.js';

export interface FileWatchListener {
  changed(changes: ResourceChange[]): void;
  missed(): void;
  lost(): void;
}

/** Watches a file or a folder that was found, and tells of changes by URIs below the one that the client gave. */
export async function watchFile(
  watcher: Watcher,
  { realPath, type }: FileDescription,
  params: CreateResourceWatchParams,
  listener: FileWatchListener,
): Promise<Watching> {
  const isFolder = type === 'directory';
  const isTold = compileFilter(params);
  const base = params.uri.replace(/\/+$/, '');
  const toChange = ({ path, type: change }: PathChange): ResourceChange[] => {
    const inside = relative(realPath, path).split(sep).join('/');
    if (inside === '') return [{ uri: params.uri, type: change }];
    if (inside.startsWith('../') || inside === '..' || !isTold(inside)) return [];
    return [{ uri: `${base}/${escapedPath(inside)}`, type: change }];
  };
  // A file is often replaced as a whole: its folder sees that, it itself would not.
  const folder = isFolder ? realPath : dirname(realPath);
  const isConcerned = ({ path }: PathChange) =>
    isFolder || (dirname(path) === folder && basename(path) === basename(realPath));
  return watcher.watch(folder, isFolder && params.recursive === true, {
    changed(changes) {
      const told = changes.filter(isConcerned).flatMap(toChange);
      if (told.length > 0) listener.changed(told);
    },
    missed: () => listener.missed(),
    ended: () => listener.lost(),
  });
}
