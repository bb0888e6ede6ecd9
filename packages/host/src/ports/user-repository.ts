/** The user's own repository, as the user works with it: with their name, keys, hooks and remotes. */
export interface UserRepository {
  facts(): Promise<RepositoryFacts>;
  /** Commits what is staged. */
  commit(message: string): Promise<{ readonly id: string }>;
  /** Makes a branch of this name, or of one like it that is free, and goes there. */
  createBranch(name: string): Promise<string>;
  /** Brings the current branch into the base branch, where that is checked out; gives the name of the base branch. */
  mergeBack(base: string): Promise<string>;
  push(): Promise<{ readonly remote: string; readonly branch: string }>;
  /** Opens a pull request with the command line tool of the forge; gives its address. */
  createPullRequest(base: string, title: string, body: string): Promise<string>;
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
