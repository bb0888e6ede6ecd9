import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { WorktreeError, type WorktreePlan, type WorktreeRequest } from '../../ports/worktrees.js';
import { ask, commitOf, run } from './ask.js';
import { MAX_BRANCH_NAMES } from './limits.js';
import { lookAt } from './look.js';

export async function planWorktree(request: WorktreeRequest): Promise<WorktreePlan> {
  const { folder, place, baseBranch, branchName, suggestedBranch } = request;
  const { problem, branch: current } = await lookAt(folder);
  if (problem !== undefined) throw new WorktreeError(problem);
  const ask = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-common-dir'];
  const [top = '', repository = ''] = (await run(ask, { cwd: folder })).split('\n');
  if (realpathSync(top) !== place.top) {
    throw new WorktreeError(`Git finds the top of the work tree at ${top}, not at ${place.top}.`);
  }
  const base = await startOf(folder, baseBranch ?? current);
  const inside = relative(place.top, folder);
  if (inside !== '') await assertFolder(folder, base.commit, inside);
  const branch = branchName === undefined ? await freeName(folder, suggestedBranch) : await asGiven(folder, branchName);
  return { repository, path: place.path, folder: place.folder, branch, ...base };
}

async function startOf(folder: string, wanted: string | undefined): Promise<{ commit: string; baseBranch?: string }> {
  if (wanted === undefined) {
    const commit = await commitOf('HEAD', folder);
    if (commit) return { commit };
  } else if (await isName(folder, wanted)) {
    for (const kind of ['heads', 'remotes']) {
      const commit = await commitOf(`refs/${kind}/${wanted}`, folder);
      if (commit) return { commit, baseBranch: wanted };
    }
  }
  throw new WorktreeError(`There is no branch "${wanted ?? 'HEAD'}" to start from.`);
}

/** The session works in the same subfolder of the new work tree, so the commit must have it. */
async function assertFolder(folder: string, commit: string, inside: string): Promise<void> {
  const type = await ask(['cat-file', '-t', `${commit}:${inside}`], folder);
  if (type !== 'tree')
    throw new WorktreeError(`The commit that the work tree would start from has no folder "${inside}".`);
}

async function asGiven(folder: string, name: string): Promise<string> {
  if (!(await isName(folder, name))) throw new WorktreeError(`"${name}" cannot be the name of a branch.`);
  const why = await whyTaken(folder, name);
  if (why !== undefined) throw new WorktreeError(why);
  return name;
}

async function freeName(folder: string, name: string): Promise<string> {
  // If there is a branch "a", git allows no branch "a/b".
  const folders = name.split('/').slice(0, -1);
  const blocked = folders.length > 0 && (await commitOf(`refs/heads/${folders.join('/')}`, folder)) !== undefined;
  const start = blocked ? name.replaceAll('/', '-') : name;
  for (let number = 1; number <= MAX_BRANCH_NAMES; number++) {
    const candidate = number === 1 ? start : `${start}-${number}`;
    if ((await whyTaken(folder, candidate)) === undefined) return candidate;
  }
  throw new WorktreeError(`There are too many branches named like ${name}.`);
}

async function whyTaken(folder: string, name: string): Promise<string | undefined> {
  const parts = name.split('/');
  for (let length = 1; length <= parts.length; length++) {
    const part = parts.slice(0, length).join('/');
    if ((await ask(['show-ref', '--verify', `refs/heads/${part}`], folder)) === undefined) continue;
    if (length === parts.length) return `The branch "${name}" already exists; choose another name.`;
    return `There cannot be a branch "${name}" beside the branch "${part}"; choose another name.`;
  }
  const below = await ask(['for-each-ref', '--count=1', '--format=%(refname:short)', `refs/heads/${name}/`], folder);
  return below ? `There cannot be a branch "${name}" beside the branch "${below}"; choose another name.` : undefined;
}

/** False for a name that git could take for an option or an expression. */
async function isName(folder: string, name: string): Promise<boolean> {
  return !name.startsWith('-') && (await ask(['check-ref-format', '--branch', name], folder)) === name;
}
