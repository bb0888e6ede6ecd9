import type { Freshness } from '../../ports/workspace.js';
import type { Git } from './git/git.js';
import type { KnownModes } from './known-modes.js';

/** A folder that the host remembers, for what edits it. */
export interface RememberedFolder {
  readonly folder: string;
  readonly git: Git;
  /** The bare repository in which the host keeps the folder's states and contents. */
  readonly directory: string;
  /** Permissions that files and folders of it had when they were last there. */
  readonly modes: KnownModes;
  readonly read: (contentId: string) => Promise<Uint8Array | undefined>;
  /** Whether each of these contents can be read. */
  readonly has: (contentIds: readonly string[]) => Promise<readonly boolean[]>;
  /** Writes contents that are still in memory to where git finds them. */
  readonly beforeGit?: (() => Promise<void>) | undefined;
  /** Takes note of files that were just written or removed. */
  readonly wrote?: (paths: readonly string[]) => void;
  /** Whether git may store files in another form than they have on disk, by settings or by attributes that it tracks; true if that is not known. */
  readonly mayConvert?: (() => Promise<boolean>) | undefined;
  /** Returns git's earlier answer about the user's repository if nothing in it but its index has changed since. */
  readonly answer?: Answers | undefined;
  /** The same, for what depends on the index. */
  readonly answerOfIndex?: Answers | undefined;
  /** Runs work that must be finished before the host stops. */
  readonly finish?: <T>(work: () => Promise<T>) => Promise<T>;
}

export type Answers = <T>(question: string, ask: () => Promise<T>, freshness: Freshness) => Promise<T>;
