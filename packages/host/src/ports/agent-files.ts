import type { URI } from '@moorage/protocol';
import type { FolderEntry } from './files.js';

/**
 * The files of a session's folders, for its agents. Nothing outside of them is ever read or changed, whatever links a
 * path goes through. Paths are absolute, or relative to the first folder. Every promise rejects only with an AgentFileError.
 */
export interface AgentFiles {
  /** The file at a path, without `content` if it does not exist. Rejects when it is larger than `maxBytes`, or a folder. */
  read(path: string, maxBytes?: number): Promise<AgentFile>;
  /** Replaces the whole file, atomically, keeping its mode. Creates missing folders. */
  write(path: string, content: Uint8Array, expected?: ExpectedVersion): Promise<void>;
  /** Deletes a file, unless it is not the expected version any more. */
  delete(path: string, expected?: ExpectedVersion): Promise<void>;
  /** Creates missing folders. Rejects when `to` exists. `expected` is the version of `from`. */
  rename(from: string, to: string, expected?: ExpectedVersion): Promise<void>;
}

/** `AgentFiles` with folders, for agents that explore by themselves. */
export interface AgentTree extends AgentFiles {
  /**
   * `shown` is the folder's real path relative to the session's first folder, with slashes; empty for that itself. In other
   * folders it is the whole path.
   */
  locateFolder(path: string): Promise<{ shown: string }>;
  /** Direct children, sorted by name. A symbolic link is listed as the type it leads to. */
  list(path: string): Promise<FolderEntry[]>;
  /** Files below a folder, sorted by path, each once. Leaves out folders of repositories and of installed packages. */
  find(request: FindRequest): Promise<FoundFiles>;
}

/** Which files an agent looks for. */
export interface FindRequest {
  /** The folder to search. */
  readonly under: string;
  /** Matched against paths relative to `under`; all files when absent. */
  readonly glob?: string | undefined;
  /** The search ends with this many files. */
  readonly maxFiles: number;
  /** Ends the search. */
  readonly signal: AbortSignal;
}

export interface FoundFiles {
  /** Relative to the session's first folder, with slashes; whole paths in others. */
  readonly files: readonly string[];
  /** False when the search stopped at a limit. */
  readonly isComplete: boolean;
}

/** A path, and the file there if it exists. */
export interface AgentFile {
  /** Its real place, below the session's folder as the session names that: clients compare URIs as strings. */
  readonly uri: URI;
  /** The same place relative to the first folder, with slashes, to be shown to people; the whole path in other folders. */
  readonly shown: string;
  /** Whether the path itself is a symbolic link; `uri` and `content` are then those of its target. */
  readonly isLink: boolean;
  /** What is in it; undefined if it is not there. */
  readonly content?: AgentFileContent | undefined;
}

export interface AgentFileContent {
  /** All of it. */
  readonly bytes: Uint8Array;
  /** Identifies the content: equal for equal bytes. */
  readonly version: string;
}

/** A precondition: the file must have this version, or not exist (null). Undefined: no precondition. */
export type ExpectedVersion = string | null | undefined;

/** Why a file operation failed. The message may be shown to the user. */
export class AgentFileError extends Error {
  override readonly name = 'AgentFileError';
  /** For example `outsideFolder`, `isFolder`, `tooLarge`, `changed`, or an error code of the system. */
  readonly code: string;

  constructor(code: string, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
