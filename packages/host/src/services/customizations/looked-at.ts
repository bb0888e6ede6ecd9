import { dirname, join } from 'node:path';
import { isInside } from '../../paths/inside.js';
import {
  type FileDescription,
  type FileReader,
  type FileScope,
  FilesError,
  type FolderEntry,
} from '../../ports/files.js';

/**
 * What is at paths below `base`, each looked at once, and not at all where a folder above is missing: there are dozens of places for
 * customizations, and most folders have none of them. True for a moment only, so it is made anew for each round of reading.
 */
export class LookedAt {
  readonly #files: Pick<FileReader, 'describe'>;
  readonly #base: string;
  readonly #found = new Map<string, Promise<FileDescription>>();
  /** Folders that are known to be there without a look. */
  readonly #listed = new Set<string>();

  constructor(files: Pick<FileReader, 'describe'>, base: string) {
    this.#files = files;
    this.#base = base;
  }

  /** As `FileReader.describe` does, with links followed. */
  describe(path: string, scope: FileScope): Promise<FileDescription> {
    const known = this.#found.get(path);
    if (known) return known;
    const found = this.expectParent(path, scope).then(() => this.#files.describe(path, scope, true));
    this.#found.set(path, found);
    return found;
  }

  /** A folder was listed: there may be a thousand in it, none of which needs a look. */
  noteListed(folder: string, entries: readonly FolderEntry[]): void {
    for (const { name, type } of entries) if (type === 'directory') this.#listed.add(join(folder, name));
  }

  /** Rejects with `notFound` if the folder of a path is missing. */
  async expectParent(path: string, scope: FileScope): Promise<void> {
    const parent = dirname(path);
    if (parent === this.#base || this.#listed.has(parent) || !isInside(parent, this.#base)) return;
    try {
      await this.describe(parent, scope);
    } catch (error) {
      // What else is wrong with it, its children know better: a link may lead back in.
      if (error instanceof FilesError && error.kind === 'notFound') throw error;
    }
  }
}
