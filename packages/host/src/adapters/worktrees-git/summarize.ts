import type { BranchName, RepositorySummary } from '../../ports/worktrees.js';
import type { Git } from '../shared/git/git.js';
import { ask, commitOf, run } from './ask.js';
import { MAX_BRANCHES_READ } from './limits.js';

export async function summarize(git: Git, folder: string): Promise<RepositorySummary> {
  const branch = await ask(git, ['symbolic-ref', '--short', '--quiet', 'HEAD'], folder);
  const problem = await problemOf(git, folder);
  return { ...(problem !== undefined && { problem }), ...(branch && { branch }) };
}

/** Why no work tree can be made for the repository of a folder. */
async function problemOf(git: Git, folder: string): Promise<string | undefined> {
  try {
    const isInside = await run(git, ['rev-parse', '--is-inside-work-tree'], { cwd: folder });
    if (isInside !== 'true') return 'The folder is not in a git work tree.';
  } catch (error) {
    return `Git cannot use the folder: ${(error as Error).message}`;
  }
  return (await commitOf(git, 'HEAD', folder)) ? undefined : 'The repository has no commit yet.';
}

/** Branches that match a query: those that begin with it first, local ones before those of remotes. */
export async function findBranches(git: Git, folder: string, query: string, limit: number): Promise<BranchName[]> {
  const current = await ask(git, ['symbolic-ref', '--quiet', 'HEAD'], folder);
  // Sorting by date reads every branch's commit, so it is done only without a query.
  const order = query === '' ? ['--sort=-committerdate', `--count=${limit + 1}`] : [`--count=${MAX_BRANCHES_READ}`];
  const listed = await run(git, ['for-each-ref', ...order, '--format=%(refname)', 'refs/heads', 'refs/remotes'], {
    cwd: folder,
  });
  const names = listed.split('\n').filter((name) => name !== '' && !/^refs\/remotes\/[^/]+\/HEAD$/.test(name));
  const text = query.toLowerCase();
  const found = names
    .map((reference) => branchOf(reference, current))
    .filter(({ name }) => name.toLowerCase().includes(text));
  const sorted = query === '' ? found.toSorted(currentFirst) : found.toSorted((a, b) => rank(a, text) - rank(b, text));
  const best = sorted.slice(0, limit);
  if (query !== '' || !current || best[0]?.current || !(await commitOf(git, current, folder))) return best;
  return [branchOf(current, current), ...best].slice(0, limit);
}

function currentFirst(a: BranchName, b: BranchName): number {
  return Number(b.current) - Number(a.current);
}

function branchOf(reference: string, current: string | undefined): BranchName {
  const remote = reference.startsWith('refs/remotes/');
  const name = reference.replace(/^refs\/(?:heads|remotes)\//, '');
  return { name, remote, current: reference === current };
}

function rank({ name, remote }: BranchName, text: string): number {
  const lower = name.toLowerCase();
  const quality = lower === text ? 0 : lower.startsWith(text) ? 1 : lower.includes(`/${text}`) ? 2 : 3;
  return quality * 2 + Number(remote);
}
