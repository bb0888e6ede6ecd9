import type { BranchFacts } from '../../../ports/workspace.js';
import type { Git } from './git.js';
import type { Branches } from './repository.js';

/** What the user's repository says of its current branch, and of where it comes from. */
export async function branchFacts(git: Git, folder: string, branches: Branches): Promise<BranchFacts> {
  const [, listed, tracked] = branches.find(([head]) => head === '*') ?? [];
  const name = listed ?? (await git.ask(['symbolic-ref', '--quiet', '--short', 'HEAD'], folder)); // before its first commit
  const remotes = await git.ask(['config', '--get-regexp', String.raw`^remote\..*\.url$`], folder);
  const hasGitHubRemote = remotes !== undefined && GITHUB.test(remotes);
  if (name === undefined) return { hasGitHubRemote };
  if (!tracked) return { name, hasGitHubRemote };
  const fields = '--format=%(upstream:short)%00%(upstream:track,nobracket)';
  const [upstream = '', track = ''] = (
    (await git.ask(['for-each-ref', fields, `refs/heads/${name}`], folder)) ?? ''
  ).split('\0');
  if (upstream === '' || track === 'gone') return { name, hasGitHubRemote };
  const count = (direction: string) => Number(new RegExp(`${direction} (\\d+)`).exec(track)?.[1] ?? 0);
  return { name, hasGitHubRemote, upstream: { name: upstream, ahead: count('ahead'), behind: count('behind') } };
}

/** The host in a URL of any kind: `https://github.com/...`, `ssh://git@github.com/...`, `git@github.com:...`. */
const GITHUB = /(?:^|\s)(?:\w+:\/\/)?(?:[^\s/@]*@)?(?:www\.|ssh\.)?github\.com[:/]/im;
