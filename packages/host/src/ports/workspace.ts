import type { Hunk } from './contents.js';
import type { FolderEditor } from './folder-editor.js';

/**
 * Remembers states of the files in folders. States and contents live in the host's own store, where nothing the user does
 * to their repository can remove them. Folders and their repositories are only read; `editor` is for changing files.
 * Folders are given by absolute real paths.
 */
export interface Workspaces {
  /** The workspace of a folder; always the same object for the same folder. */
  open(folder: string): Workspace;
  /** The id of a folder's workspace. The folder need not exist any more. */
  idOf(folder: string): string;
  /** Changes the files of a folder, for operations. */
  editor(folder: string): FolderEditor;
  /** Content that a workspace keeps; the workspace need not have been opened since the host started. Undefined for unknown ids. */
  read(workspaceId: string, contentId: string): Promise<Uint8Array | NotKept | undefined>;
  /** What states and contents are made of, for a copy of them that is kept elsewhere. */
  readonly objects: StateObjects;
  /** Deletes the workspaces last used before `olderThan` (epoch milliseconds), except the named ones. */
  retainOnly(workspaceIds: readonly string[], olderThan: number, options?: Abortable): Promise<void>;
  /** Aborts what is running and resolves when nothing runs any more. Later calls reject with a WorkspaceError. */
  close(): Promise<void>;
}

/** The pieces that states and contents consist of. They are the same, under the same ids, on every host. */
export interface StateObjects {
  /** The workspace need not have been opened since the host started. Undefined if unknown. */
  read(workspaceId: string, id: string): Promise<StateObject | undefined>;
  /** Adds what a workspace of another host had, so that its states can be used here. It is on disk afterwards. */
  add(folder: string, objects: readonly StateObject[]): Promise<void>;
}

export interface StateObject {
  /** A content; or a folder, as git writes one: what is in it, with names, modes and ids. The id of a state is that of its top folder. */
  readonly type: 'blob' | 'tree';
  /** The bytes. */
  readonly content: Uint8Array;
  /** Set if the content only stands in for one that is not kept. */
  readonly notKept?: NotKept | undefined;
}

/** One folder, with its present and remembered states. Promises reject with a WorkspaceError when the folder cannot be read. */
export interface Workspace extends FolderStates, KeptStates {
  /** Stays the same across restarts of the host. */
  readonly id: string;
  /** What is known of the folder: its repository, its branch. Without a repository, only `git` and `keptBytes`. */
  describe(options: ReferenceOptions): Promise<WorkspaceInfo>;
  /**
   * Runs work that changes the folder while nobody takes a checkpoint, so that none holds half of it. The work must not
   * take one either, because it would wait for itself: give it no `Workspace`.
   */
  betweenCheckpoints<T>(work: () => Promise<T>): Promise<T>;
  /** Reports changes on disk to the listener, until the returned function is called. */
  watch(listener: WorkspaceListener): () => void;
}

/** States of a folder, and how they differ. */
export interface FolderStates {
  /** Records the present state of all files that are not ignored; gives the same id if nothing changed. */
  checkpoint(options: CheckpointOptions): Promise<StateId>;
  /** The same, if only a few files need to be read for it; undefined if it takes more. */
  quickCheckpoint(options: QuickCheckpointOptions): Promise<StateId | undefined>;
  /**
   * The state at the last commit of the user's repository, or at the merge base of its branch with the base branch.
   * Undefined when there is no repository or no such commit.
   */
  reference(what: 'head' | 'mergeBase', options: ReferenceOptions): Promise<StateId | undefined>;
  /**
   * The states before and after a commit of the user's repository, whose id may be abbreviated; a merge is compared with its first parent. Undefined
   * when there is no repository or no such commit.
   */
  ofCommit(commit: string, options: PresentOptions): Promise<{ before: StateId; after: StateId } | undefined>;
  /**
   * The files that differ between two states, with line counts, always in the same order. A file that moved is one change, also if
   * it was edited; a copy is a new file. Of modes only what git records counts.
   */
  compare(from: StateId, to: StateId, options?: CompareOptions): Promise<FileChange[]>;
  /**
   * The same from a commit to a state of the folder. Both are compared as git stores files, with other line ends or
   * filtered; `FileVersion.onDisk` then says what is on disk.
   */
  compareStored(from: StateId, to: StateId, options: CompareStoredOptions): Promise<FileChange[]>;
  /** Makes a state of exactly these files. */
  compose(files: readonly FileVersion[], options?: Abortable): Promise<StateId>;
  /** The file at a path in a state, without its size; undefined if there is none. */
  find(state: StateId, path: string): Promise<FileVersion | undefined>;
}

/** What of a folder's states stays in the host's store. */
export interface KeptStates {
  /** Makes sure that the contents of these changes are in the host's own store, durably. Rejects when one of them is gone. */
  keep(changes: readonly FileChange[], options?: Abortable): Promise<void>;
  /** Adds a content that need not be in any file, and returns its id. `keep` makes it durable. */
  add(content: Uint8Array): Promise<string>;
  /** Makes sure that a state's file names are in the host's own store, so that it can always be compared with. */
  keepNames(state: StateId, options?: Abortable): Promise<void>;
  /** Deletes everything except what is wanted and what the folder contains now. */
  retain(wanted: Retained, options?: Abortable): Promise<void>;
}

export interface WorkspaceInfo {
  /** Whether the folder is in a git repository that can be used. */
  readonly git: boolean;
  /** What of the folder is not tracked as it should be, why, and what to do about it, as text for people. */
  readonly problem?: string;
  /** The branch that changes are measured against. */
  readonly baseBranch?: string;
  /** Bytes that the host's store uses for the folder. */
  readonly keptBytes: number;
  /** The current branch of the repository. */
  readonly branch?: BranchFacts;
  /** How many files differed from the last commit when the folder was last read; absent when that takes long to find out. */
  readonly uncommittedFiles?: number;
}

/** The current branch of the user's repository. */
export interface BranchFacts {
  /** Absent when HEAD is a commit. */
  readonly name?: string;
  /** The branch that it follows, and the commits that only one of the two has, as of the last fetch. */
  readonly upstream?: { readonly name: string; readonly ahead: number; readonly behind: number };
  /** Whether one of its remotes is at GitHub. */
  readonly hasGitHubRemote: boolean;
}

/**
 * How recent an answer must be. `exact`: it has every change that was made before the call. `watched`: it has those that
 * the watcher has reported, and may miss some of the last moments; enough for a view that is refreshed when they come.
 */
export type Freshness = 'watched' | 'exact';

/** Aborting rejects the call with a WorkspaceError and stops what runs for it alone. */
export interface Abortable {
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/** A question about the folder or its repository as they are now. */
export interface PresentOptions extends Abortable {
  /** How recent the answer must be. */
  readonly freshness: Freshness;
}

export interface CheckpointOptions extends PresentOptions {
  /** Called while files are read, if there are so many that it takes a while. */
  readonly onProgress?: ReadProgress | undefined;
}

export interface QuickCheckpointOptions extends PresentOptions {
  /**
   * Called when listeners have heard of all changes up to then, right before files are read; not at all where that cannot
   * be known.
   */
  readonly onCaughtUp?: () => void;
}

export interface ReferenceOptions extends PresentOptions {
  /** The branch to measure against; without it the workspace finds one. */
  readonly baseBranch?: string | undefined;
}

/** `files` files of `of` have been read. */
export type ReadProgress = (files: number, of: number) => void;

export interface CompareOptions extends Abortable {
  /** Called with the first changes, without line counts, if there are so many that counting takes a while. */
  readonly onFirst?: (changes: readonly FileChange[]) => void;
}

/** `freshness` is about the settings and attributes that say how git stores files. */
export interface CompareStoredOptions extends CompareOptions, PresentOptions {}

/** What `retain` must keep. */
export interface Retained {
  /** Ids of states and contents; unknown ones are ignored. */
  readonly ids: readonly string[];
  /** Only what was written before this time (epoch milliseconds) may be deleted. */
  readonly olderThan: number;
}

/** Receives the changes of a folder. */
export interface WorkspaceListener {
  /** These paths, relative to the folder, have just changed, by anyone. Incomplete when the system lost events. */
  touched?(paths: readonly string[]): void;
  /** Files changed, and then nothing did for a few moments. */
  settled?(): void;
  /** From now on every change is reported; earlier ones may have been missed. */
  watching?(): void;
}

/** Identifies the state of all files of a folder at one moment. */
export type StateId = string;

/** A file in a state. */
export interface FileVersion {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  /** For `Workspaces.read`. Of a symbolic link, the content is its target. */
  readonly contentId: string;
  /** Six octal digits, as git writes them; see `file-modes.ts`. */
  readonly mode: string;
  /** The same for the bytes on disk, where git stores other ones. */
  readonly onDisk?: string;
  /** In bytes. */
  readonly size?: number;
  /** The permission bits of a file on disk, which git does not record. Set by `FolderEditor.read`. */
  readonly permissions?: number;
  /** Set when the content cannot be read. */
  readonly notKept?: NotKept;
}

/** Why the content of a file is not in the store. */
export interface NotKept {
  /** Why its content is not kept. */
  readonly reason: 'tooLarge' | 'unreadable' | 'storeFull' | 'lost';
  /** The size of the file in bytes. */
  readonly size: number;
}

/** How a file differs between two states. */
export interface FileChange {
  /** Absent when the file was created. */
  readonly before?: FileVersion;
  /** Absent when the file was deleted. */
  readonly after?: FileVersion;
  /** The number of lines added; absent for a file that is not text. */
  readonly added?: number;
  /** The number of lines removed; absent for a file that is not text. */
  readonly removed?: number;
  /** Others who may have made part of this change: ids of turns, or `user`. Set by the host, not by adapters. */
  readonly sharedWith?: readonly string[];
  /** The hunks that they may have made. Set by the host, not by adapters. */
  readonly sharedHunks?: readonly SharedHunk[];
  /** Someone else changed the file between two of the turns that made this change. Set by the host, not by adapters. */
  readonly changedBetween?: boolean;
  /** The file is text, but too large for its lines to be counted. */
  readonly uncounted?: boolean;
  /** The name of the filter that may not run here: the contents cannot be compared, and are not counted. */
  readonly notFiltered?: string;
  /** The change is only in the index; on disk the file is as in the last commit. Set by the host, not by adapters. */
  readonly onlyStaged?: boolean;
}

/** Lines that were changed, by one of several authors. */
export interface SharedHunk extends Hunk {
  /** Who else has changed these lines. */
  readonly sharedWith: readonly string[];
}

/** Why the files of a folder cannot be read. The message says what to do. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
}
