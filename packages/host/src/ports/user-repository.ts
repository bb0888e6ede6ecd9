import type { IndexEntries } from './user-index.js';

/**
 * The user's own repository, used as the user would: with their name, keys, hooks and remotes. Every promise except that of
 * `facts` rejects with a FolderEditError when there is no repository or git refuses.
 */
export interface UserRepository {
  /** What can be done with the repository now. */
  facts(): Promise<RepositoryFacts>;
  /** Commits what is staged, and returns the abbreviated commit id. */
  commit(message: string, options?: CommitOptions): Promise<{ readonly id: string }>;
  /** The commit that was made for an operation; undefined if none was, or if the repository has no reflog. */
  commitOf(operation: string): Promise<{ readonly commit: string; readonly id: string } | undefined>;
  /** What is checked out: no commit if there is none yet, no branch if HEAD is detached. */
  head(): Promise<{ readonly commit?: string; readonly branch?: string }>;
  /**
   * Moves the current branch back by one commit that was not pushed, or forward again, or to rewritten commits that were
   * not pushed. Files and index stay as they are.
   * Rejects with `refused` if anything else is checked out than the move says.
   */
  moveHead(move: HeadMove): Promise<void>;
  /**
   * The commits from this one to the newest of the current branch, oldest first. Rejects with `refused` if they cannot be
   * rewritten: one is a merge or signed, there are too many, or another branch, a remote branch or a tag has the first one.
   */
  rewritable(commit: string): Promise<readonly string[]>;
  /** What a commit has for these paths. */
  entriesIn(commit: string, paths: readonly string[]): Promise<IndexEntries>;
  /** Makes the same commits with other entries, one after the other, and returns their ids. No branch is moved. */
  rewrite(commits: readonly RewrittenCommit[]): Promise<readonly string[]>;
  /** The same folder in the repository's main work tree; undefined if this is it, or there is none. */
  mainFolder(): Promise<string | undefined>;
  /** Creates and checks out a branch of this name, with a number appended if it is taken; returns the name used. */
  createBranch(name: string): Promise<string>;
  /**
   * Merges the current branch into the base branch: in the work tree that has it checked out, or by fast-forward if none
   * has. A conflict changes nothing. Returns the name of the base branch.
   */
  mergeBack(base: string): Promise<string>;
  /** Pushes the current branch. Never overwrites commits of the remote. */
  push(): Promise<{ readonly remote: string; readonly branch: string }>;
  /**
   * Pushes the current branch, and opens a pull request for it with the forge's command line tool. If one is open already,
   * changes of it what is given, and says how its checks stand.
   */
  createPullRequest(base: string, wishes: PullRequestWishes): Promise<PullRequest>;
}

export interface CommitOptions {
  /** Of what is staged, these paths only. */
  readonly only?: ReadonlySet<string> | undefined;
  /** The id of the operation that the commit is for: `commitOf` finds the commit by it. */
  readonly operation?: string;
}

export interface PullRequestWishes {
  /** Its title; without it, one is made. */
  readonly title?: string;
  /** Its text. */
  readonly body?: string;
  /** Whether it is a draft at first. */
  readonly draft?: boolean;
  /** For a new one, where nothing else is given. */
  readonly suggested: { readonly title: string; readonly body: string };
}

export interface PullRequest {
  /** Where it is. */
  readonly url: string;
  /** Whether it was made now, or was there. */
  readonly isNew: boolean;
  /** Absent where there are none, or none yet. */
  readonly checks?: CheckCounts;
}

export interface CheckCounts {
  /** Checks that passed. */
  readonly passed: number;
  /** Checks that failed. */
  readonly failed: number;
  /** Checks that still run. */
  readonly pending: number;
}

/** A commit, and what shall be different in it. */
export interface RewrittenCommit {
  /** The hash of the new commit. */
  readonly commit: string;
  /** What the index has afterwards. */
  readonly entries: IndexEntries;
  /**
   * Makes a commit with this message that has only these entries of it, by the same author at the same time; it comes before
   * the commit itself. Rejects with `refused` if that would be nothing or all of it, or if the commit is a merge.
   */
  readonly message?: string;
}

/** From one commit to its parent, or the other way round; undefined stands for no commit. */
export interface HeadMove {
  /** From commits to the same ones rewritten, or back. */
  readonly rewrites?: boolean;
  /** The commit before; undefined if there was none. */
  readonly from?: string | undefined;
  /** The commit after; undefined if there is none. */
  readonly to?: string | undefined;
  /** The branch that moves; undefined if none is checked out. */
  readonly branch?: string | undefined;
}

/** The state of the user's repository. Without one only `git` is set, to false. */
export interface RepositoryFacts {
  /** Whether the folder is in a repository. */
  readonly git: boolean;
  /** The current branch; undefined when HEAD is detached. */
  readonly branch?: string;
  /** Whether there is a commit. */
  readonly hasCommit?: boolean;
  /** Whether the folder is in a linked work tree, not in the main one. */
  readonly linked?: boolean;
  /** Whether there are uncommitted changes. */
  readonly dirty?: boolean;
  /** The remote that `push` would use. */
  readonly remote?: string;
  /** The tool that can open pull requests, or why none can. */
  readonly forge?: { readonly tool: string } | { readonly missing: string };
}
