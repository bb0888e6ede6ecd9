import type { BranchFacts, Freshness } from '../../../ports/workspace.js';
import { branchFacts } from '../../shared/git/branch-facts.js';
import type { Git } from '../../shared/git/git.js';
import {
  type Branches,
  findBaseBranch,
  headTree,
  listBranches,
  mergeBase,
  type Repository,
} from '../../shared/git/repository.js';
import { type ConversionSettings, readConversionSettings } from '../stored-form/conversion.js';

/** The user's commits that changes are measured against. */
export class Commits {
  readonly #git: Git;
  readonly #folder: string;
  readonly #answers: RepositoryAnswers;
  readonly #indexAnswers: RepositoryAnswers;

  constructor(git: Git, folder: string, answers: RepositoryAnswers, indexAnswers: RepositoryAnswers) {
    this.#git = git;
    this.#folder = folder;
    this.#answers = answers;
    this.#indexAnswers = indexAnswers;
  }

  baseBranch(wanted: string | undefined, freshness: Freshness): Promise<string | undefined> {
    const find = async () => findBaseBranch(this.#git, this.#folder, wanted, await this.#branches(freshness));
    return this.#answers.to(`base ${wanted ?? ''}`, find, freshness);
  }

  branch(freshness: Freshness): Promise<BranchFacts> {
    const find = async () => branchFacts(this.#git, this.#folder, await this.#branches(freshness));
    return this.#answers.to('branch', find, freshness);
  }

  #branches(freshness: Freshness): Promise<Branches> {
    return this.#answers.to('branches', () => listBranches(this.#git, this.#folder), freshness);
  }

  /** Undefined if there is no base branch, or it has no commit in common with the current one. */
  async find(
    what: 'head' | 'mergeBase',
    wantedBase: string | undefined,
    freshness: Freshness,
  ): Promise<string | undefined> {
    if (what === 'head') return 'HEAD';
    const base = await this.baseBranch(wantedBase, freshness);
    return (
      base && this.#answers.to(`merge base with ${base}`, () => mergeBase(this.#git, this.#folder, base), freshness)
    );
  }

  has(commit: string, freshness: Freshness): Promise<boolean> {
    const find = () => this.#git.ask(['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], this.#folder);
    return this.#answers.to(`has ${commit}`, async () => (await find()) !== undefined, freshness);
  }

  /** The folder's tree in a commit; undefined before the first commit. */
  treeOf(commit: string, repository: Repository, freshness: Freshness): Promise<string | undefined> {
    return this.#answers.to(
      `tree of ${commit}`,
      () => headTree(this.#git, this.#folder, repository, commit),
      freshness,
    );
  }

  /** What decides in which form git stores files. */
  conversionSettings(repository: Repository, freshness: Freshness): Promise<ConversionSettings> {
    const read = () => readConversionSettings(this.#git, this.#folder, repository);
    return this.#answers.to('conversion settings', read, freshness);
  }

  /** Whether files may be stored in another form than on disk. */
  async mayConvert(repository: Repository, freshness: Freshness): Promise<boolean> {
    const { autocrlf, hasAttributes } = await this.conversionSettings(repository, freshness);
    if (autocrlf !== 'false' || hasAttributes) return true;
    const find = () =>
      this.#git.run(['ls-files', '-z', '--', '.gitattributes', '**/.gitattributes'], { cwd: this.#folder });
    return (await this.#indexAnswers.to('attributes', find, freshness)).length > 0;
  }
}

/** A number that changes whenever what is asked about does; undefined while changes may go unnoticed. */
type Version = (freshness: Freshness) => number | undefined | Promise<number | undefined>;

/** Caches git's answers about the user's repository until something changes that they depend on. */
export class RepositoryAnswers {
  readonly #version: Version;
  readonly #answers = new Map<string, Promise<unknown>>();
  #answeredVersion: number | undefined;

  constructor(version: Version) {
    this.#version = version;
  }

  /** The cached answer, or what `ask` resolves to. `question` is the cache key, so it must always go with the same type. */
  async to<T>(question: string, ask: () => Promise<T>, freshness: Freshness): Promise<T> {
    const version = await this.#version(freshness);
    if (version === undefined) return ask();
    if (version !== this.#answeredVersion) this.#answers.clear();
    this.#answeredVersion = version;
    const known = this.#answers.get(question) as Promise<T> | undefined;
    if (known) return known;
    const answer = ask();
    this.#answers.set(question, answer);
    answer.catch(() => this.#answers.get(question) === answer && this.#answers.delete(question));
    return answer;
  }
}
