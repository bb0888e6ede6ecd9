/** Repositories inside a folder: each is one entry that names its commit. */
export interface NestedRepositories {
  /** The commit that the one at a path is at; undefined when there is none. */
  head(path: string): Promise<string | undefined>;
  /** Checks out another commit there; refused when it is not at the one expected, or has changes of its own. */
  move(path: string, from: string, to: string): Promise<void>;
}
