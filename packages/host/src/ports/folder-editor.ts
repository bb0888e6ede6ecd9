import type { Contents } from './contents.js';
import type { NestedRepositories } from './nested-repositories.js';
import type { UserIndex } from './user-index.js';
import type { UserRepository } from './user-repository.js';
import type { FileVersion } from './workspace.js';

/**
 * The files of a folder, to be changed by operations. Nothing is ever written through a symbolic link, outside the folder,
 * or into a repository's own files; what was replaced can be had back until the operation is known to be done. All of it
 * rejects with a FolderEditError.
 */
export interface FolderEditor {
  readonly contents: Contents;
  readonly index: UserIndex;
  readonly nested: NestedRepositories;
  readonly repository: UserRepository;
  /** What is at these paths now. What the host's store does not hold yet is put there. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, CurrentFile>>;
  /**
   * Brings all paths from what is expected there to what should be, or none: when a file is not what was expected, or
   * anything fails, all are put back and a FolderEditError says why. The id names the attempt for `settle`.
   */
  apply(id: string, steps: readonly EditStep[]): Promise<void>;
  /** Ends an attempt that the death of the host cut off: by finishing it, or by putting back what it had done. */
  settle(id: string, steps: readonly EditStep[]): Promise<'finished' | 'rolledBack'>;
}

/** What is at a path now. */
export type CurrentFile =
  | { readonly kind: 'file'; readonly version: FileVersion }
  /** Nothing, or a folder. */
  | { readonly kind: 'absent' }
  /** Something that cannot be looked at or must not be touched; it may lie behind a folder that is a symbolic link. */
  | { readonly kind: 'barred'; readonly why: string; readonly behindLink?: string };

/** One path: what must be there now, and what shall be. */
export interface EditStep {
  readonly path: string;
  readonly from?: FileVersion;
  readonly to?: FileVersion;
}

/** Why files were not changed; the message is for people. */
export class FolderEditError extends Error {
  override readonly name = 'FolderEditError';
  /** `refused`: nothing was changed. `unfinished`: some of it was, and could not be put back yet. */
  readonly kind: 'refused' | 'unfinished';

  constructor(kind: FolderEditError['kind'], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}
