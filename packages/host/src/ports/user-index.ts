import type { FileVersion, Freshness } from './workspace.js';

/**
 * The index (staging area) of the user's own repository. Paths are relative to the folder. Every promise rejects only with a
 * FolderEditError, of kind `refused` when there is no repository.
 */
export interface UserIndex extends IndexForms {
  /** How the index differs from the last commit. */
  status(options: { readonly freshness: Freshness }): Promise<IndexStatus>;
  /** The entries of these paths. Rejects if one of them has a conflict. */
  entries(paths: readonly string[]): Promise<IndexEntries>;
  /** What the last commit has for these paths. */
  committed(paths: readonly string[]): Promise<IndexEntries>;
  /** Sets these entries, and removes those that are undefined: all or none. Restores contents that git has pruned since. */
  stage(entries: IndexEntries): Promise<void>;
  /** What keeps the index from being committed. Paths are from the top of the repository. */
  conflicts(): Promise<Conflicts>;
}

/** How the index differs from the last commit. Paths are relative to the folder; those outside of it are left out. */
export interface IndexStatus {
  /** A file that is only intended to be added is not staged, nor is one with a conflict. */
  readonly staged: ReadonlyMap<string, StagedChange>;
  /** Paths with a conflict that the user has not resolved. */
  readonly conflicted: ReadonlySet<string>;
}

/** What the last commit has for a path, and what the index has. Absent: no such file. */
export interface StagedChange {
  /** What the last commit has; without it, the file is new. */
  readonly committed?: IndexEntry;
  /** What is staged; without it, the file is deleted. */
  readonly entry?: IndexEntry;
}

/** Conflicts in the whole index, also outside the folder. */
export interface Conflicts {
  /** Paths that are still in conflict. */
  readonly unresolved: readonly string[];
  /** Staged with conflict markers that the last commit does not have. */
  readonly marked: readonly string[];
}

/** Converts contents between their form on disk and in the repository, which differ by line ends and filters. */
export interface IndexForms {
  /** The entries that staging these files as they are on disk would give. Changes nothing in the index. */
  fromDisk(paths: readonly string[]): Promise<IndexEntries>;
  /** Stores content that is in the form of the repository there, and returns the id for an entry. */
  store(content: Uint8Array): Promise<string>;
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
  /** What the user told git about the file; absent: nothing. */
  readonly marks?: readonly IndexMark[];
}

/** The first two keep git from looking at the file on disk, the third stands for a new file without its content. */
export type IndexMark = 'skip-worktree' | 'assume-unchanged' | 'intent-to-add';
