import type { FileChange, FileVersion } from './workspace.js';

/**
 * The files of a folder, to be changed by operations. Nothing is ever written through a symbolic link, outside the folder,
 * or into a repository's own files; what was replaced can be had back until the operation is known to be done.
 */
export interface WorkTree {
  readonly contents: Contents;
  readonly repository: UserRepository;
  /** What is at these paths now. What the host's store does not hold yet is put there. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, CurrentFile>>;
  /**
   * Brings all paths from what is expected there to what should be, or none: when a file is not what was expected, or
   * anything fails, all are put back and a WorkTreeError says why. The id names the attempt for `settle`.
   */
  apply(id: string, steps: readonly TreeStep[]): Promise<void>;
  /** Ends an attempt that the death of the host cut off: by finishing it, or by putting back what it had done. */
  settle(id: string, steps: readonly TreeStep[]): Promise<'finished' | 'rolledBack'>;
}

/** Contents of files in the host's own store, by id. */
export interface Contents {
  read(id: string): Promise<Uint8Array | undefined>;
  /** Puts content into the store, for good. */
  write(content: Uint8Array): Promise<string>;
  /** Makes these contents the host's own and durable; rejects when one of them is gone. */
  secure(ids: readonly string[]): Promise<void>;
  /** How two texts differ, without lines of context; undefined when one of them is not text. */
  hunks(before: string, after: string): Promise<readonly Hunk[] | undefined>;
  /** Three texts made one, or where that cannot be done; undefined when one of them is not text. */
  merge(base: string, ours: string, theirs: string): Promise<Merged | undefined>;
  /** The changes as one unified patch that `git apply` takes. */
  patch(changes: readonly FileChange[]): Promise<Uint8Array>;
}

/** What of the user's own repository operations may use and change; every member rejects with a WorkTreeError. */
export interface UserRepository {
  facts(): Promise<RepositoryFacts>;
  /** What the index holds for paths that differ from the last commit. */
  staged(): Promise<ReadonlyMap<string, IndexEntry | undefined>>;
  /** What the index holds for these paths; undefined where it holds nothing. */
  entries(paths: readonly string[]): Promise<ReadonlyMap<string, IndexEntry | undefined>>;
  /** What the last commit holds for these paths. */
  committed(paths: readonly string[]): Promise<ReadonlyMap<string, IndexEntry | undefined>>;
  /** Puts entries into the index, or takes them out: all or none. */
  stage(entries: ReadonlyMap<string, IndexEntry | undefined>): Promise<void>;
  /** What the index would hold for these files as they are on disk, in the form in which the repository keeps them. */
  fromDisk(paths: readonly string[]): Promise<ReadonlyMap<string, IndexEntry | undefined>>;
  /** Content of the index in the form that it has on disk, kept by the host. */
  fromIndex(path: string, entry: IndexEntry): Promise<string>;
  /** These files of a commit in the form that they have on disk, where that is another one; kept by the host. */
  asOnDisk(files: readonly FileVersion[]): Promise<ReadonlyMap<string, FileVersion>>;
  /** Content in the form in which the repository keeps it, kept by the repository. */
  toIndex(path: string, content: Uint8Array): Promise<string>;
  /** The commit that a repository inside the folder is at; undefined when there is none. */
  nestedHead(path: string): Promise<string | undefined>;
  /** Checks out another commit there; refused when it is not at the one expected, or has changes of its own. */
  moveNested(path: string, from: string, to: string): Promise<void>;
  commit(message: string): Promise<{ readonly id: string }>;
  /** Makes a branch of this name, or of one like it that is free, and goes there. */
  createBranch(name: string): Promise<string>;
  /** Brings the current branch into the base branch, where that is checked out; gives the name of the base branch. */
  mergeBack(base: string): Promise<string>;
  push(): Promise<{ readonly remote: string; readonly branch: string }>;
  /** Opens a pull request with the command line tool of the forge; gives its address. */
  createPullRequest(base: string, title: string, body: string): Promise<string>;
}

/** What the index of a repository holds for a path. */
export interface IndexEntry {
  readonly id: string;
  readonly mode: string;
}

/** What can be done in a repository now. Absent without one. */
export interface RepositoryFacts {
  readonly git: boolean;
  /** The current branch; undefined when HEAD is detached. */
  readonly branch?: string;
  readonly hasCommit?: boolean;
  /** The work tree is a linked one, beside the main one. */
  readonly linked?: boolean;
  readonly dirty?: boolean;
  readonly remote?: string;
  /** The tool that can open pull requests there, or why there is none. */
  readonly forge?: { readonly tool: string } | { readonly missing: string };
}

/** What is at a path now. */
export type CurrentFile =
  | { readonly kind: 'file'; readonly version: FileVersion }
  /** Nothing, or a folder. */
  | { readonly kind: 'absent' }
  /** Something that cannot be looked at or must not be touched; it may lie behind a folder that is a symbolic link. */
  | { readonly kind: 'barred'; readonly why: string; readonly behindLink?: string };

/** One path: what must be there now, and what shall be. */
export interface TreeStep {
  readonly path: string;
  readonly from?: FileVersion;
  readonly to?: FileVersion;
}

/** Lines from `start` (counted from 0); with a count of 0 the place before that line. */
export interface LineSpan {
  readonly start: number;
  readonly count: number;
}

/** Lines that were replaced by others. */
export interface Hunk {
  readonly before: LineSpan;
  readonly after: LineSpan;
}

/** Three texts made one, or what stands against it. */
export type Merged =
  | { readonly kind: 'clean'; readonly id: string }
  /** Lines of ours that the others want differently. */
  | { readonly kind: 'conflict'; readonly lines: readonly LineSpan[] };

/** Why files were not changed; the message is for people. */
export class WorkTreeError extends Error {
  override readonly name = 'WorkTreeError';
  /** `refused`: nothing was changed. `unfinished`: some of it was, and could not be put back yet. */
  readonly kind: 'refused' | 'unfinished';

  constructor(kind: WorkTreeError['kind'], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}
