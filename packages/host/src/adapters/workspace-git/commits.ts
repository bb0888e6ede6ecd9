import type { BranchFacts } from '../../ports/workspace.js';
import { branchFacts } from '../shared/git/branch-facts.js';
import { findBaseBranch, headTree, mergeBase, type Repository } from '../shared/git/repository.js';
import { isStoredAsOnDisk } from './as-on-disk.js';
import type { RepositoryAnswers } from './repository-answers.js';
import type { Shadow } from './shadow.js';

/** The user's commits that changes are measured against. */
export class Commits {
  readonly #folder: string;
  readonly #answers: RepositoryAnswers;

  constructor(folder: string, answers: RepositoryAnswers) {
    this.#folder = folder;
    this.#answers = answers;
  }

  baseBranch(wanted: string | undefined, asTold = false): Promise<string | undefined> {
    return this.#answers.to(`base ${wanted ?? ''}`, () => findBaseBranch(this.#folder, wanted), asTold);
  }

  branch(): Promise<BranchFacts> {
    return this.#answers.to('branch', () => branchFacts(this.#folder));
  }

  /** Undefined if there is no base branch, or it has no commit in common with the current one. */
  async find(what: 'head' | 'mergeBase', wantedBase: string | undefined, asTold: boolean): Promise<string | undefined> {
    if (what === 'head') return 'HEAD';
    const base = await this.baseBranch(wantedBase, asTold);
    return base && this.#answers.to(`merge base with ${base}`, () => mergeBase(this.#folder, base), asTold);
  }

  /** The folder's tree in a commit; undefined before the first commit. */
  treeOf(commit: string, repository: Repository, asTold: boolean): Promise<string | undefined> {
    return this.#answers.to(`tree of ${commit}`, () => headTree(this.#folder, repository, commit), asTold);
  }

  isStoredAsOnDisk(tree: string, shadow: Shadow, asTold: boolean): Promise<boolean> {
    return this.#answers.to(`${tree} is stored as on disk`, () => isStoredAsOnDisk(shadow, tree), asTold);
  }
}
