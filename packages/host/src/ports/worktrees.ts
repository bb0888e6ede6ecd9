/**
 * Work trees of users' repositories that the host makes for sessions, all below one folder of its own. Nothing that a user
 * or an agent has not saved elsewhere is ever removed. Every promise rejects only with a WorktreeError. The host stores a
 * plan before it calls `make` or `remove`, and after a crash calls `discard` or `remove` again with the same plan. From
 * `plan` to the end of `make`, and during `discard` and `remove`, it does nothing else of that kind with the repository.
 */
export interface Worktrees extends WorktreeChoices {
  /** The real path of the folder in which the work trees lie, directly; it exists. */
  readonly directory: string;
  /** Makes the work tree and its branch, or leaves nothing behind when it fails or is aborted. Never replaces anything. */
  make(plan: WorktreePlan, options: MakeOptions): Promise<void>;
  /** Removes what an interrupted `make` left, whatever that is. A branch that has commits of its own by now stays. */
  discard(plan: WorktreePlan): Promise<void>;
  /**
   * Why the work tree must not be removed, as text for people, which says what is not committed, or names the branch whose commits
   * are nowhere else. Undefined when nothing would be lost.
   */
  unsaved(plan: WorktreePlan): Promise<string | undefined>;
  /**
   * Removes the work tree and its branch and resolves with undefined; or, if something would be lost, changes nothing and
   * resolves with the reason. Also completes a removal that was interrupted.
   */
  remove(plan: WorktreePlan): Promise<string | undefined>;
}

/** What can be chosen before a work tree is made. Changes nothing. */
export interface WorktreeChoices {
  /**
   * Where the work tree of a session would be; a different place for each session. Synchronous, so it must be quick.
   * Undefined when the folder belongs to no repository.
   */
  place(folder: string, session: string): WorktreeLocation | undefined;
  /** Whether a work tree can be made for a folder. */
  summarize(folder: string): Promise<RepositorySummary>;
  /** Branches whose names contain a text, ignoring case, best match first; for an empty text the current one, then the most recently used. */
  branches(folder: string, query: string, limit: number): Promise<readonly BranchName[]>;
  /** Decides on the branch and commit. Rejects when a requested name is invalid or taken, or the base does not exist. */
  plan(request: WorktreeRequest): Promise<WorktreePlan>;
}

/** Where a work tree would be. All paths are absolute. */
export interface WorktreeLocation {
  /** The top folder of the work tree that the given folder belongs to. */
  readonly top: string;
  /** The folder with the repository's own files, the same as in a plan. */
  readonly repository: string;
  /** The top folder of the new work tree. */
  readonly path: string;
  /** The folder in the new work tree that corresponds to the given one. */
  readonly folder: string;
}

/** Whether a work tree can be made. */
export interface RepositorySummary {
  /** Why none can be made, as text for people; undefined when one can. */
  readonly problem?: string | undefined;
  /** The branch that is checked out. */
  readonly branch?: string | undefined;
}

/** A branch that a work tree can start from. */
export interface BranchName {
  /** The name of the branch. */
  readonly name: string;
  /** Whether it is a remote-tracking branch. */
  readonly remote: boolean;
  /** Whether it is checked out in the folder. */
  readonly current: boolean;
}

/** The work tree that is wanted. */
export interface WorktreeRequest {
  /** The folder whose repository it is of. */
  readonly folder: string;
  /** Where to make it. */
  readonly place: WorktreeLocation;
  /** The branch to start from; the current commit of the folder's work tree when absent. */
  readonly baseBranch?: string | undefined;
  /** The name of the new branch, which must be free. */
  readonly branchName?: string | undefined;
  /** The name to use when `branchName` is absent; if it is taken, with `-2` or a higher number. */
  readonly suggestedBranch: string;
}

/** Everything needed to make a work tree and to remove it again. The host stores it, so it must be plain JSON. */
export interface WorktreePlan {
  /** The folder with the repository's own files (the common git directory). */
  readonly repository: string;
  /** The top folder of the work tree. */
  readonly path: string;
  /** The folder in it that the session works in. */
  readonly folder: string;
  /** The new branch. */
  readonly branch: string;
  /** The commit that the branch starts at. */
  readonly commit: string;
  /** The branch it starts from; undefined when it starts from a detached HEAD. */
  readonly baseBranch?: string | undefined;
}

export interface MakeOptions {
  /** Aborting removes what was made so far and rejects. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the percentage of files that are checked out, ending with 100. */
  readonly onProgress?: (percent: number) => void;
}

/** Why a work tree cannot be made or removed. The message is written for people. */
export class WorktreeError extends Error {
  override readonly name = 'WorktreeError';
}
