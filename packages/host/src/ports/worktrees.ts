/**
 * Work trees of users' repositories that the host makes for sessions, all below one folder of its own. Making one is all
 * or nothing, also when the host dies in between: then `discard` takes away what is there. Nothing that a user or an
 * agent has not saved elsewhere is ever removed. Every promise rejects with a WorktreeError that says why.
 */
export interface Worktrees extends WorktreeChoices {
  /** The real path of the folder below which they lie. */
  readonly directory: string;
  make(plan: WorktreePlan, options: MakeOptions): Promise<void>;
  /** Takes away what an attempt left that was cut off. */
  discard(plan: WorktreePlan): Promise<void>;
  /** Why it must not be removed; undefined when nothing would be lost. */
  unsaved(plan: WorktreePlan): Promise<string | undefined>;
  /** Removes it and its branch if nothing is lost by that; else nothing changes and it says why. */
  remove(plan: WorktreePlan): Promise<string | undefined>;
}

/** What can be chosen before one is made. Changes nothing. */
export interface WorktreeChoices {
  /** Where the one of a session would be, by a quick look; undefined when the folder belongs to no repository. */
  place(folder: string, session: string): WorktreePlace | undefined;
  /** What a new one can start from. */
  look(folder: string): Promise<RepositoryLook>;
  /** Branches whose name holds a text, the best first; without a text those that were used last. */
  branches(folder: string, query: string, limit: number): Promise<readonly BranchName[]>;
  /** Decides on names and commits. */
  plan(request: WorktreeRequest): Promise<WorktreePlan>;
}

/** Where a work tree would be. */
export interface WorktreePlace {
  /** The top of the work tree that the folder belongs to. */
  readonly top: string;
  /** The new work tree. */
  readonly path: string;
  /** The folder in it that corresponds to the one asked for. */
  readonly folder: string;
}

/** Whether a work tree can be made, and from what. */
export interface RepositoryLook {
  /** Why no work tree can be made; undefined when one can. */
  readonly problem?: string | undefined;
  /** The branch that is checked out. */
  readonly branch?: string | undefined;
}

/** A branch that a work tree could start from. */
export interface BranchName {
  readonly name: string;
  readonly remote: boolean;
  readonly current: boolean;
}

/** The work tree that is wanted. */
export interface WorktreeRequest {
  readonly folder: string;
  readonly place: WorktreePlace;
  /** Where it starts; without it where the folder's own work tree is. */
  readonly baseBranch?: string | undefined;
  /** Must be free. */
  readonly branchName?: string | undefined;
  /** Used without a name, with a number if it is taken. */
  readonly suggestedBranch: string;
}

/** All that is needed to make one, or to take it away again, also in another life of the host. */
export interface WorktreePlan {
  /** The folder with the repository's own files. */
  readonly repository: string;
  readonly path: string;
  /** The folder in it that the session works in. */
  readonly folder: string;
  readonly branch: string;
  readonly commit: string;
  /** Undefined when the start is no branch. */
  readonly baseBranch?: string | undefined;
}

/** For making one, which takes a while where there are many files. */
export interface MakeOptions {
  readonly signal?: AbortSignal | undefined;
  /** Hears how much of the files is there, from 0 to 100. */
  readonly onProgress?: (percent: number) => void;
}

/** Why there is no work tree; the message is for people. */
export class WorktreeError extends Error {
  override readonly name = 'WorktreeError';
}
