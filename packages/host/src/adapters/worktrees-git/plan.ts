import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { WorktreeError, type WorktreePlan, type WorktreeRequest } from '../../ports/worktrees.js';
import type { Git } from '../shared/git/git.js';
import { ask, commitOf, run } from './ask.js';
import { MAX_BRANCH_NAMES } from './limits.js';
import { summarize } from './summarize.js';

export async function planWorktree(git: Git, request: WorktreeRequest): Promise<WorktreePlan> {
  const { folder, place, baseBranch, branchName, suggestedBranch } = request;
  const { problem, branch: current } = await summarize(git, folder);
  if (problem !== undefined) throw new WorktreeError(problem);
  const places = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-common-dir'];
  const [top = '', repository = ''] = (await run(git, places, { cwd: folder })).split('\n');
  if (realpathSync(top) !== place.top) {
    throw new WorktreeError(`Git finds the top of the work tree at ${top}, not at ${place.top}.`);
  }
  const base = await startOf(git, folder, baseBranch ?? current);
  const inside = relative(place.top, folder);
  if (inside !== '') await assertFolder(git, folder, base.commit, inside);
  const branch =
    branchName === undefined ? await freeName(git, folder, suggestedBranch) : await asGiven(git, folder, branchName);
  return { repository, path: place.path, folder: place.folder, branch, ...base };
}

async function startOf(
  git: Git,
  folder: string,
  wanted: string | undefined,
): Promise<{ commit: string; baseBranch?: string }> {
  if (wanted === undefined) {
    const commit = await commitOf(git, 'HEAD', folder);
    if (commit) return { commit };
  } else if (await isName(git, folder, wanted)) {
    for (const kind of ['heads', 'remotes']) {
      const commit = await commitOf(git, `refs/${kind}/${wanted}`, folder);
      if (commit) return { commit, baseBranch: wanted };
    }
  }
  throw new WorktreeError(`There is no branch "${wanted ?? 'HEAD'}" to start from.`);
}

/** The session works in the same subfolder of the new work tree, so the commit must have it. */
async function assertFolder(git: Git, folder: string, commit: string, inside: string): Promise<void> {
  const type = await ask(git, ['cat-file', '-t', `${commit}:${inside}`], folder);
  if (type !== 'tree')
    throw new WorktreeError(`The commit that the work tree would start from has no folder "${inside}".`);
}

async function asGiven(git: Git, folder: string, name: string): Promise<string> {
  if (!(await isName(git, folder, name))) throw new WorktreeError(`"${name}" cannot be the name of a branch.`);
  const why = await whyTaken(git, folder, name);
  if (why !== undefined) throw new WorktreeError(why);
  return name;
}

async function freeName(git: Git, folder: string, name: string): Promise<string> {
  // If there is a branch "a", git allows no branch "a/b".
  const folders = name.split('/').slice(0, -1);
  const blocked = folders.length > 0 && (await commitOf(git, `refs/heads/${folders.join('/')}`, folder)) !== undefined;
  const start = blocked ? name.replaceAll('/', '-') : name;
  for (let number = 1; number <= MAX_BRANCH_NAMES; number++) {
    const candidate = number === 1 ? start : `${start}-${number}`;
    if ((await whyTaken(git, folder, candidate)) === undefined) return candidate;
  }
  throw new WorktreeError(`There are too many branches named like ${name}.`);
}

async function whyTaken(git: Git, folder: string, name: string): Promise<string | undefined> {
  const parts = name.split('/');
  for (let length = 1; length <= parts.length; length++) {
    const part = parts.slice(0, length).join('/');
    if ((await ask(git, ['show-ref', '--verify', `refs/heads/${part}`], folder)) === undefined) continue;
    if (length === parts.length) return `The branch "${name}" already exists; choose another name.`;
    return `There cannot be a branch "${name}" beside the branch "${part}"; choose another name.`;
  }
  const below = await ask(
    git,
    ['for-each-ref', '--count=1', '--format=%(refname:short)', `refs/heads/${name}/`],
    folder,
  );
  return below ? `There cannot be a branch "${name}" beside the branch "${below}"; choose another name.` : undefined;
}

/** False for a name that git could take for an option or an expression. */
async function isName(git: Git, folder: string, name: string): Promise<boolean> {
  return !name.startsWith('-') && (await ask(git, ['check-ref-format', '--branch', name], folder)) === name;
}
