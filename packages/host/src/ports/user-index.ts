import type { FileVersion } from './workspace.js';

/**
 * The index (staging area) of the user's own repository. Paths are relative to the folder. Every promise rejects only with a
 * FolderEditError, of kind `refused` when there is no repository.
 */
export interface UserIndex extends IndexForms {
  /** The entries that differ from the last commit. With `asTold`, what was staged moments ago may be missing. */
  staged(options?: { readonly asTold?: boolean }): Promise<IndexEntries>;
  /** The entries of these paths. */
  entries(paths: readonly string[]): Promise<IndexEntries>;
  /** What the last commit has for these paths. */
  committed(paths: readonly string[]): Promise<IndexEntries>;
  /** Sets these entries, and removes those that are undefined: all or none. Restores contents that git has pruned since. */
  stage(entries: IndexEntries): Promise<void>;
}

/** Converts contents between their form on disk and in the repository, which differ by line ends and filters. */
export interface IndexForms {
  /** The entries that staging these files as they are on disk would give. Changes nothing in the index. */
  fromDisk(paths: readonly string[]): Promise<IndexEntries>;
  /** Converts an entry to its form on disk, stores that in the host's store, and returns the content id. */
  fromIndex(path: string, entry: IndexEntry): Promise<string>;
  /** Converts content to its form in the repository, stores that there, and returns the id for an entry. */
  toIndex(path: string, content: Uint8Array): Promise<string>;
  /** For those of these committed files whose form on disk differs, that form by path; stored in the host's store. */
  asOnDisk(files: readonly FileVersion[]): Promise<ReadonlyMap<string, FileVersion>>;
}

/** Entries by path; undefined where there is none. */
export type IndexEntries = ReadonlyMap<string, IndexEntry | undefined>;

/** One file in the index of a repository. */
export interface IndexEntry {
  /** The object id of the content. */
  readonly id: string;
  /** As in `FileVersion.mode`. */
  readonly mode: string;
}
