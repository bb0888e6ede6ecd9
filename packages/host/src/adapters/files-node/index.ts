import type { Files } from '../../ports/files.js';
import { KeyedQueue } from '../../queues/keyed-queue.js';
import { describe } from './describe.js';
import { list } from './list.js';
import { locate } from './locate.js';
import { makeFolder } from './make-folder.js';
import { copy, move } from './move.js';
import { read } from './read.js';
import { remove } from './remove.js';
import { explain } from './system-errors.js';
import { unfinishedIn, unnoted } from './unfinished.js';
import { write } from './write.js';

export interface NodeFilesOptions {
  /** Where to note what is being written, so that a death in the middle leaves nothing beside the user's files for good. */
  readonly directory?: string;
}

/** The file system of this machine. On Linux races are shut out by open folders; elsewhere they are looked for. */
export function nodeFiles({ directory }: NodeFilesOptions = {}): Files {
  const queue = new KeyedQueue();
  const unfinished = directory === undefined ? unnoted : unfinishedIn(directory);
  return {
    locate: (path) =>
      explained(
        path,
        locate(path).then(({ real }) => real),
      ),
    read: (path, scope, maxBytes) => explained(path, read(path, scope, maxBytes)),
    write: (path, scope, change) => explained(path, write(path, scope, change, queue, unfinished)),
    list: (path, scope) => explained(path, list(path, scope)),
    describe: (path, scope, followLink) => explained(path, describe(path, scope, followLink)),
    copy: (source, destination, scope, failIfExists) =>
      explained(source, copy(source, destination, scope, { failIfExists, queue, unfinished })),
    move: (source, destination, scope, failIfExists) =>
      explained(source, move(source, destination, scope, { failIfExists, queue, unfinished })),
    remove: (path, scope, recursive) => explained(path, remove(path, scope, recursive, queue)),
    makeFolder: (path, scope) => explained(path, makeFolder(path, scope)),
  };
}

async function explained<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw explain(error, path);
  }
}
