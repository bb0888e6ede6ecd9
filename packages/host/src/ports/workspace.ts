import type { FolderEditor } from './folder-editor.js';

/**
 * What the host remembers of the files in a folder. States and contents live in the host's own store: what a user does
 * to their repository later cannot take them away. The folder and its repository are only ever read.
 */
export interface Workspaces {
  /** The workspace of a folder; the same one for the same folder. */
  open(folder: string): Workspace;
  /** The id of the workspace of a folder, also of one that is not there any more. */
  idOf(folder: string): string;
  /** The files of a folder, to be changed by operations. */
  editor(folder: string): FolderEditor;
  /** Content that a workspace keeps, also one that was opened in an earlier life; undefined when there is none. */
  read(workspaceId: string, contentId: string): Promise<Uint8Array | NotKept | undefined>;
  /** Lets go of all workspaces that were last used before that time, but these. */
  retainOnly(workspaceIds: readonly string[], olderThan: number): Promise<void>;
  close(): Promise<void>;
}

/** A folder, as it is and as it was. */
export interface Workspace extends FolderStates, KeptStates {
  /** Names it in all lives of the host. */
  readonly id: string;
  describe(baseBranch?: string): Promise<WorkspaceInfo>;
  /** Tells of changes on disk; gives back how to stop that. */
  watch(listener: WorkspaceListener): () => void;
}

/** States of a folder, and how they differ. */
export interface FolderStates {
  /**
   * What every file that is not ignored is now. With `asTold`, what was changed in the last moments may be missing when the
   * system has not told of it yet: enough for a view that is looked at again as soon as it does.
   */
  checkpoint(options?: CheckpointOptions): Promise<StateId>;
  /** What the user's repository says: its last commit, or where its branch left the base branch; undefined without one. */
  reference(what: 'head' | 'mergeBase', options?: ReferenceOptions): Promise<StateId | undefined>;
  /** How files differ between two states, with line counts; a file that moved is one change. */
  compare(from: StateId, to: StateId, options?: CompareOptions): Promise<FileChange[]>;
  /** A state that holds just these files. */
  compose(files: readonly FileVersion[]): Promise<StateId>;
}

/** What of a folder's states the host keeps for itself. */
export interface KeptStates {
  /** Makes the contents of these changes the host's own. */
  keep(changes: readonly FileChange[]): Promise<void>;
  /** Makes the names of all files of a state the host's own, so that a comparison with it can always be made. */
  keepNames(state: StateId): Promise<void>;
  /** Lets go of all but these states and contents, and what the folder holds now. */
  retain(wanted: Retained): Promise<void>;
}

/** What there is to know of a folder at a glance. */
export interface WorkspaceInfo {
  readonly git: boolean;
  /** The branch that changes are measured against. */
  readonly baseBranch?: string;
  /** Bytes that the host keeps of it. */
  readonly keptBytes: number;
}

/** For a look at a folder. */
export interface CheckpointOptions {
  readonly asTold?: boolean;
  /** Hears how many files have been read, of how many, when there are so many that it takes a while. */
  readonly onProgress?: ReadProgress;
}

/** For what the user's repository says. */
export interface ReferenceOptions {
  readonly baseBranch?: string | undefined;
  /** What was committed in the last moments may be missing, as with a checkpoint. */
  readonly asTold?: boolean;
}

export type ReadProgress = (files: number, of: number) => void;

/** For a comparison that takes a while. */
export interface CompareOptions {
  /** Nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
  /** Hears of the first changes, without counts, when there are so many that counting takes a while. */
  readonly onFirst?: (changes: readonly FileChange[]) => void;
}

/** What must stay when the rest is let go of. */
export interface Retained {
  /** States and contents; unknown ones do not matter. */
  readonly ids: readonly string[];
  /** What was written since then, in milliseconds since the epoch, stays in any case. */
  readonly olderThan: number;
}

/** Who is told of changes in a folder. */
export interface WorkspaceListener {
  /** These paths were just touched, also by the host itself. Some may be missing when the system lost events. */
  touched?(paths: readonly string[]): void;
  /** Files changed, and now nothing has for some moments. */
  settled?(): void;
  /** Every change from now on is told, though some before may not have been. */
  watching?(): void;
}

/** Names what all files of a folder were at one moment. */
export type StateId = string;

/** A file in a state. */
export interface FileVersion {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly contentId: string;
  /** Six octal digits, as git writes them: regular, executable, symbolic link or submodule. */
  readonly mode: string;
  readonly size?: number;
  /** Set when the content is not there to be read. */
  readonly notKept?: NotKept;
}

/** Why the content of a file is not kept. */
export interface NotKept {
  readonly reason: 'tooLarge' | 'unreadable' | 'storeFull' | 'lost';
  /** Bytes of the file. */
  readonly size: number;
}

/** What became of a file between two states. */
export interface FileChange {
  /** Absent when the file was created. */
  readonly before?: FileVersion;
  /** Absent when it was deleted. */
  readonly after?: FileVersion;
  /** Lines; absent for what is not text. */
  readonly added?: number;
  readonly removed?: number;
  /** Other turns that were at work on the same file at the same time. */
  readonly sharedWith?: readonly string[];
  /** Somebody else changed the file between two of the turns whose changes these are. */
  readonly changedBetween?: boolean;
  /** It is text, but so large that its lines are not counted. */
  readonly uncounted?: boolean;
}

/** Why the files of a folder cannot be looked at; the message says what to do. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
}
