import { join, relative } from 'node:path';
import { type FileReader, type FileScope, FilesError } from '../../ports/files.js';
import { LookedAt } from './looked-at.js';

/**
 * Reads files below a folder that is watched, and notices when one of them is not: because a symbolic link leads elsewhere, or
 * because it is among dependencies.
 */
export class WatchedFiles implements FileReader {
  readonly #files: FileReader;
  readonly #base: string;
  #realBase: Promise<string> | undefined;
  #lookedAt: LookedAt;
  hasReadUnwatched = false;

  constructor(files: FileReader, base: string) {
    this.#files = files;
    this.#base = base;
    this.#lookedAt = new LookedAt(files, base);
  }

  /** Everything is about to be read again: what was missing may be there now. */
  lookAgain(): void {
    this.#lookedAt = new LookedAt(this.#files, this.#base);
  }

  locate(path: string): Promise<string> {
    return this.#files.locate(path);
  }

  describe(...args: Parameters<FileReader['describe']>): ReturnType<FileReader['describe']> {
    return this.#files.describe(...args);
  }

  async read(path: string, scope: FileScope, maxBytes: number): ReturnType<FileReader['read']> {
    await this.#lookedAt.expectParent(path, scope);
    const content = await this.#files.read(path, scope, maxBytes).catch(this.#refused);
    await this.#check(path, content.realPath);
    return content;
  }

  async list(path: string, scope: FileScope): ReturnType<FileReader['list']> {
    await this.#lookedAt.expectParent(path, scope);
    const entries = await this.#files.list(path, scope).catch(this.#refused);
    this.#lookedAt.noteListed(path, entries);
    await this.#check(path, await this.#files.locate(path));
    return entries;
  }

  /** What a link leads to may become readable without a change in the folder. What is just missing cannot. */
  readonly #refused = (error: unknown): never => {
    if (!(error instanceof FilesError && error.kind === 'notFound')) this.hasReadUnwatched = true;
    throw error;
  };

  async #check(path: string, realPath: string): Promise<void> {
    this.#realBase ??= this.#files.locate(this.#base);
    const expected = join(await this.#realBase, relative(this.#base, path));
    if (realPath !== expected || realPath.includes('/node_modules/')) this.hasReadUnwatched = true;
  }
}
