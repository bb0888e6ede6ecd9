import type { URI } from '@moorage/protocol';
import type { FileLists } from '../../ports/file-lists.js';
import type { HostContext } from '../context.js';
import type { FolderChanges } from '../folder-changes.js';
import { FileIndex } from './file-index.js';
import { INDEX_IDLE_MS, MAX_INDEXES } from './limits.js';

interface Kept {
  readonly index: FileIndex;
  idle: unknown;
}

/**
 * File indexes of the folders in use. The least recently used is dropped when there are too many, and each when idle
 * for long.
 */
export class FileIndexes {
  readonly #context: HostContext;
  readonly #lists: FileLists;
  readonly #folderChanges: FolderChanges;
  readonly #kept = new Map<string, Kept>();

  constructor(context: HostContext, lists: FileLists, folderChanges: FolderChanges) {
    this.#context = context;
    this.#lists = lists;
    this.#folderChanges = folderChanges;
  }

  /** Throws a FolderError when the folder may not be used. */
  of(folder: URI): FileIndex {
    const { clock, folders } = this.#context;
    const path = folders.resolve(folder);
    const kept = this.#kept.get(path) ?? { index: this.#make(folder, path), idle: undefined };
    clock.clearTimeout(kept.idle);
    kept.idle = clock.setTimeout(() => this.#drop(path), INDEX_IDLE_MS);
    this.#kept.delete(path);
    this.#kept.set(path, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_INDEXES && oldest !== undefined) this.#drop(oldest);
    return kept.index;
  }

  dispose(): void {
    for (const path of [...this.#kept.keys()]) this.#drop(path);
  }

  #make(folder: URI, path: string): FileIndex {
    const listen = (touched: (paths: readonly string[]) => void) =>
      this.#folderChanges.listen(folder, { touched, watching: () => touched([]) });
    return new FileIndex({ folder: path, lists: this.#lists, clock: this.#context.clock, listen });
  }

  #drop(path: string): void {
    const kept = this.#kept.get(path);
    this.#kept.delete(path);
    this.#context.clock.clearTimeout(kept?.idle);
    kept?.index.dispose();
  }
}
