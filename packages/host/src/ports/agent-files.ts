import type { URI } from '@ahpd/protocol';
import type { FolderEntry } from './files.js';

/**
 * The files of a session, for its agents. Nothing outside of the session's folder is ever read or changed, whatever links
 * a path goes through. Paths are absolute, or relative to the folder. Every failure is an AgentFileError.
 */
export interface AgentFiles {
  /** What is at a path; without content when there is nothing. */
  read(path: string, maxBytes?: number): Promise<AgentFile>;
  /** Makes missing folders. Nobody sees half of it, and a file keeps its mode. */
  write(path: string, content: Uint8Array, expected?: ExpectedVersion): Promise<void>;
  delete(path: string, expected?: ExpectedVersion): Promise<void>;
  /** Makes missing folders; never replaces what is there. `expected` is the version of what is renamed. */
  rename(from: string, to: string, expected?: ExpectedVersion): Promise<void>;
}

/** The files of a session with the folders they are in, for agents that look around by themselves. */
export interface AgentTree extends AgentFiles {
  /** Where a folder really is: relative to the session's folder, with slashes, empty for that itself. */
  locateFolder(path: string): Promise<{ shown: string }>;
  /** Direct children by name; links as what they lead to. */
  list(path: string): Promise<FolderEntry[]>;
  /** Files below a folder, by path, each once. Repositories' own folders and installed packages are left out. */
  find(request: FindRequest): Promise<FoundFiles>;
}

/** Which files an agent looks for. */
export interface FindRequest {
  readonly under: string;
  /** Which of them, by their paths from `under`; all without it. */
  readonly glob?: string | undefined;
  readonly maxFiles: number;
  readonly signal: AbortSignal;
}

/** Those that were found, as far as the limits go. */
export interface FoundFiles {
  /** Relative to the session's folder, with slashes. */
  readonly files: readonly string[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}

/** A file, and what it holds if it is there. */
export interface AgentFile {
  /** Where it really is, under the folder as the session names it: clients compare URIs as strings. */
  readonly uri: URI;
  /** The same for people: relative to the folder. */
  readonly shown: string;
  /** The path itself is a symbolic link, and this is what it leads to. */
  readonly isLink: boolean;
  readonly content?: AgentFileContent | undefined;
}

/** The bytes of a file, and which version that is. */
export interface AgentFileContent {
  readonly bytes: Uint8Array;
  /** Names this content: the same for the same bytes. */
  readonly version: string;
}

/** What must still be there for a change to be made: this version, or nothing (null). Undefined: whatever is there. */
export type ExpectedVersion = string | null | undefined;

/** Why a file cannot be used. The message is written for the user. */
export class AgentFileError extends Error {
  override readonly name = 'AgentFileError';
  /** Such as `outsideFolder`, `isFolder`, `tooLarge`, `changed`, or what the system calls it. */
  readonly code: string;

  constructor(code: string, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
