import type { BranchName, RepositoryLook } from '../../ports/worktrees.js';
import { ask, commitOf, run } from './ask.js';
import { MAX_BRANCHES_READ } from './limits.js';

export async function lookAt(folder: string): Promise<RepositoryLook> {
  const branch = await ask(['symbolic-ref', '--short', '--quiet', 'HEAD'], folder);
  const problem = await problemOf(folder);
  return { ...(problem !== undefined && { problem }), ...(branch && { branch }) };
}

/** Why no work tree can be made of the repository of a folder. */
async function problemOf(folder: string): Promise<string | undefined> {
  try {
    const isInside = await run(['rev-parse', '--is-inside-work-tree'], { cwd: folder });
    if (isInside !== 'true') return 'The folder belongs to no work tree of git.';
  } catch (error) {
    return `Git cannot use the folder: ${(error as Error).message}`;
  }
  return (await commitOf('HEAD', folder)) ? undefined : 'The repository has no commit yet.';
}

/** Branches by what is typed: those that begin with it first, own ones before those of remotes. */
export async function findBranches(folder: string, query: string, limit: number): Promise<BranchName[]> {
  const current = await ask(['symbolic-ref', '--quiet', 'HEAD'], folder);
  // The order of use needs a look at every commit; who types narrows the list down by name.
  const order = query === '' ? ['--sort=-committerdate', `--count=${limit + 1}`] : [`--count=${MAX_BRANCHES_READ}`];
  const listed = await run(['for-each-ref', ...order, '--format=%(refname)', 'refs/heads', 'refs/remotes'], {
    cwd: folder,
  });
  const names = listed.split('\n').filter((name) => name !== '' && !/^refs\/remotes\/[^/]+\/HEAD$/.test(name));
  const wanted = query.toLowerCase();
  const found = names
    .map((reference) => branchOf(reference, current))
    .filter(({ name }) => name.toLowerCase().includes(wanted));
  const first =
    query === '' ? found.toSorted(byBeingCurrent) : found.toSorted((a, b) => rank(a, wanted) - rank(b, wanted));
  const known = first.slice(0, limit);
  if (query !== '' || !current || known[0]?.current || !(await commitOf(current, folder))) return known;
  return [branchOf(current, current), ...known].slice(0, limit);
}

function byBeingCurrent(a: BranchName, b: BranchName): number {
  return Number(b.current) - Number(a.current);
}

function branchOf(reference: string, current: string | undefined): BranchName {
  const remote = reference.startsWith('refs/remotes/');
  const name = reference.replace(/^refs\/(?:heads|remotes)\//, '');
  return { name, remote, current: reference === current };
}

function rank({ name, remote }: BranchName, wanted: string): number {
  const lower = name.toLowerCase();
  const quality = lower === wanted ? 0 : lower.startsWith(wanted) ? 1 : lower.includes(`/${wanted}`) ? 2 : 3;
  return quality * 2 + Number(remote);
}
