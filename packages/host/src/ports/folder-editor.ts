import type { Contents } from './contents.js';
import type { NestedRepositories } from './nested-repositories.js';
import type { UserIndex } from './user-index.js';
import type { UserRepository } from './user-repository.js';
import type { FileVersion } from './workspace.js';

/**
 * Changes files of a folder for operations on changesets. Paths are relative to the folder, with slashes. Nothing is ever
 * written through a symbolic link, outside the folder, or into a repository's own files. Replaced contents can be restored
 * until the operation is known to be done. Every promise rejects only with a FolderEditError.
 */
export interface FolderEditor {
  /** Contents that are kept, by their hash. */
  readonly contents: Contents;
  /** The index of the user's repository. */
  readonly index: UserIndex;
  /** Repositories inside of the folder. */
  readonly nested: NestedRepositories;
  /** The user's repository: commits and branches. */
  readonly repository: UserRepository;
  /**
   * What is at these paths now; their contents are added to the host's store. Never changes the folder. Barred are paths that lead
   * out, `.git` in any spelling and what is in it, and names that no file can have.
   */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, CurrentFile>>;
  /**
   * Makes all the changes or none. If a file is not what its step expects, or anything fails, every file is restored and
   * the promise rejects. Folders that are missing are made, and those that are left empty are removed, except for a step's
   * `folder`. The id names the attempt for `settle`.
   */
  apply(id: string, steps: readonly EditStep[]): Promise<void>;
  /**
   * Completes an `apply` that a crash of the host interrupted, by finishing it or by rolling it back. Must be given the same
   * id and steps. Also correct for an attempt that had ended, or had not begun.
   */
  settle(id: string, steps: readonly EditStep[]): Promise<'finished' | 'rolledBack'>;
}

/** What is at a path now. */
export type CurrentFile =
  | { readonly kind: 'file'; readonly version: FileVersion }
  /** Nothing is there, or a folder, or one above is a file. `folder` is the deepest folder above that is there; empty for the top. */
  | { readonly kind: 'absent'; readonly folder?: string }
  /** It cannot be read or must not be touched; `behindLink` is the folder on the path that is a symbolic link, if one is. */
  | { readonly kind: 'barred'; readonly why: string; readonly behindLink?: string };

/** The change of one path. */
export interface EditStep {
  /** The file, relative to the folder. */
  readonly path: string;
  /** What must be there now; absent: nothing. */
  readonly from?: FileVersion;
  /** What shall be there; absent: nothing. Its content must be in the host's store. */
  readonly to?: FileVersion;
  /** The deepest folder above that was there before the file, or that stays although it is empty without it. */
  readonly folder?: string;
}

/** Why files were not changed. The message is written for people. */
export class FolderEditError extends Error {
  override readonly name = 'FolderEditError';
  /** `refused`: nothing was changed. `unfinished`: some files were, and could not be restored yet; call `settle` later. */
  readonly kind: 'refused' | 'unfinished';

  constructor(kind: FolderEditError['kind'], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}
