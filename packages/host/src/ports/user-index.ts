import type { FileVersion } from './workspace.js';

/** The index of the user's own repository. Paths are of the folder. */
export interface UserIndex extends IndexForms {
  /** What it holds for paths that differ from the last commit. With `asTold`, what was staged in the last moments may be missing. */
  staged(options?: { readonly asTold?: boolean }): Promise<IndexEntries>;
  /** What it holds for these paths; undefined where it holds nothing. */
  entries(paths: readonly string[]): Promise<IndexEntries>;
  /** What the last commit holds for these paths. */
  committed(paths: readonly string[]): Promise<IndexEntries>;
  /** Puts entries into it, or takes them out: all or none. What the repository has thrown away since is given back to it. */
  stage(entries: IndexEntries): Promise<void>;
}

/** The forms that contents have in the repository and on disk: line ends and filters make them differ. */
export interface IndexForms {
  /** What the index would hold for these files as they are on disk, in the form in which the repository keeps them. */
  fromDisk(paths: readonly string[]): Promise<IndexEntries>;
  /** Content of the index in the form that it has on disk, kept by the host. */
  fromIndex(path: string, entry: IndexEntry): Promise<string>;
  /** Content in the form in which the repository keeps it, kept by the repository. */
  toIndex(path: string, content: Uint8Array): Promise<string>;
  /** These files of a commit in the form that they have on disk, where that is another one; kept by the host. */
  asOnDisk(files: readonly FileVersion[]): Promise<ReadonlyMap<string, FileVersion>>;
}

/** By path; undefined where there is nothing. */
export type IndexEntries = ReadonlyMap<string, IndexEntry | undefined>;

/** What the index of a repository holds for a path. */
export interface IndexEntry {
  readonly id: string;
  readonly mode: string;
}
