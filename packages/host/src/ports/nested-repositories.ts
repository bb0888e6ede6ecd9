/** Repositories inside the user's folder, by their paths relative to it. Each counts as one file whose content is a commit. */
export interface NestedRepositories {
  /** The current commit of the repository at a path; undefined when there is none. */
  head(path: string): Promise<string | undefined>;
  /** Checks out commit `to`. Rejects with `refused` when it is not at `from`, or has uncommitted changes. */
  move(path: string, from: string, to: string): Promise<void>;
}
