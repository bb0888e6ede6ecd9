import type { WorkTree } from './work-tree.js';

/**
 * What the host remembers of the files in a folder. States and contents live in the host's own store: what a user does
 * to their repository later cannot take them away. The folder and its repository are only ever read.
 */
export interface Workspaces {
  /** The workspace of a folder; the same one for the same folder. */
  open(folder: string): Workspace;
  /** The files of a folder, to be changed by operations. */
  workTree(folder: string): WorkTree;
  /** Content that a workspace keeps, also one that was opened in an earlier life; undefined when there is none. */
  read(workspaceId: string, contentId: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export interface Workspace {
  /** Names it in all lives of the host. */
  readonly id: string;
  /** Whether the folder belongs to a git repository, and which branch its changes are measured against. */
  describe(): Promise<{ readonly git: boolean; readonly baseBranch?: string }>;
  /** What every file that is not ignored is now. */
  checkpoint(): Promise<StateId>;
  /** What the user's repository says: its last commit, or where its branch left the base branch; undefined without one. */
  reference(what: 'head' | 'mergeBase'): Promise<StateId | undefined>;
  /** How files differ between two states, with line counts; a file that moved is one change. */
  compare(from: StateId, to: StateId): Promise<FileChange[]>;
  /** A state that holds just these files. */
  compose(files: readonly FileVersion[]): Promise<StateId>;
  /** Makes the contents of these changes the host's own. */
  keep(changes: readonly FileChange[]): Promise<void>;
  /** Tells of changes on disk; gives back how to stop that. */
  watch(listener: WorkspaceListener): () => void;
}

export interface WorkspaceListener {
  /** These paths were just touched, also by the host itself. Some may be missing when the system lost events. */
  touched?(paths: readonly string[]): void;
  /** Files changed, and now nothing has for some moments. */
  settled?(): void;
}

export type StateId = string;

export interface FileVersion {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly contentId: string;
  /** Six octal digits, as git writes them: regular, executable, symbolic link or submodule. */
  readonly mode: string;
  readonly size?: number;
}

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
}

/** Why the files of a folder cannot be looked at; the message says what to do. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
}
