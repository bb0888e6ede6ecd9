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
import { recordedIn, unrecorded } from './temporary-files.js';
import { write } from './write.js';

export interface NodeFilesOptions {
  /** Where to record temporary files, so that the next start removes those that a crash left beside the user's files. */
  readonly directory?: string;
}

/** The machine's file system. On Linux, open folders rule out races; elsewhere, races are only detected. */
export function nodeFiles({ directory }: NodeFilesOptions = {}): Files {
  const queue = new KeyedQueue();
  const temporaryFiles = directory === undefined ? unrecorded : recordedIn(directory);
  return {
    locate: (path) =>
      explained(
        path,
        locate(path).then(({ real }) => real),
      ),
    read: (path, scope, maxBytes) => explained(path, read(path, scope, maxBytes)),
    write: (path, scope, change) => explained(path, write(path, scope, change, queue, temporaryFiles)),
    list: (path, scope) => explained(path, list(path, scope)),
    describe: (path, scope, followLink) => explained(path, describe(path, scope, followLink)),
    copy: (source, destination, scope, failIfExists) =>
      explained(source, copy(source, destination, scope, { failIfExists, queue, temporaryFiles })),
    move: (source, destination, scope, failIfExists) =>
      explained(source, move(source, destination, scope, { failIfExists, queue, temporaryFiles })),
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
