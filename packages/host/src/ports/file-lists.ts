/** Lists the names of the files that people work on: without ignored files and git's own. Of several
 * `.gitignore` files, the one nearest to a file decides. */
export interface FileLists {
  /**
   * Lists the files below a folder, given by an absolute path: paths relative to it, with slashes, in any order. A file may have been
   * removed since, and a huge folder is not listed to its end. Reads no contents and follows no symbolic link to a folder.
   * Rejects when the folder cannot be read or `signal` aborts.
   */
  list(folder: string, signal: AbortSignal): Promise<readonly string[]>;
}
