/** Names the files of a folder that people work on. What ignore files leave out is not among them, nor what git keeps. */
export interface FileLists {
  /** Reads names only, and follows no link to a folder. Rejects when the folder cannot be read, or when nobody waits. */
  list(folder: string, signal: AbortSignal): Promise<ListedFiles>;
}

/** Names of files. */
export interface ListedFiles {
  /** Relative to the folder, with slashes. A file may be gone since. */
  readonly files: readonly string[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}
