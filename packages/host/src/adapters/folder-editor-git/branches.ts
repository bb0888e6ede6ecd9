import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FolderEditError } from '../../ports/folder-editor.js';
import { repositoryFacts } from './facts.js';
import { MAX_BRANCH_NAMES } from './limits.js';
import { runAsUser } from './user-git.js';

/** Creates a branch at HEAD and switches to it. Files and index stay as they are. */
export async function createBranch(folder: string, name: string): Promise<string> {
  for (let number = 1; number <= MAX_BRANCH_NAMES; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (await succeeds(folder, ['show-ref', '--verify', '--quiet', `refs/heads/${candidate}`])) continue;
    await runAsUser('git', ['switch', '--quiet', '--create', candidate], folder);
    return candidate;
  }
  throw new FolderEditError('refused', `there are too many branches named like ${name}`);
}

/** Pushes the current branch, never with force: fails if the remote branch has commits that the local one lacks. */
export async function push(folder: string): Promise<{ remote: string; branch: string }> {
  const { branch, remote } = await repositoryFacts(folder);
  if (!branch || !remote) throw new FolderEditError('refused', 'there is no branch or no remote to push to');
  await runAsUser('git', ['push', '--quiet', '--set-upstream', remote, `refs/heads/${branch}`], folder);
  return { remote, branch };
}

export async function createPullRequest(folder: string, base: string, title: string, body: string): Promise<string> {
  const { branch } = await push(folder);
  const { forge } = await repositoryFacts(folder);
  if (!forge || 'missing' in forge) throw new FolderEditError('refused', forge?.missing ?? 'there is no remote');
  const target = localName(base);
  const args =
    forge.tool === 'gh'
      ? ['pr', 'create', '--title', title, '--body', body, '--base', target, '--head', branch]
      : [
          'mr',
          'create',
          '--yes',
          '--title',
          title,
          '--description',
          body,
          '--target-branch',
          target,
          '--source-branch',
          branch,
        ];
  const output = await runAsUser(forge.tool, args, folder);
  const url = /https?:\/\/\S+/.exec(output)?.[0];
  if (!url) throw new FolderEditError('refused', `${forge.tool} did not say where the pull request is: ${output}`);
  return url;
}

/** Merges a linked work tree's branch into its base branch, where that is checked out. A conflict leaves both unchanged. */
export async function mergeBack(folder: string, baseName: string): Promise<string> {
  const { branch } = await repositoryFacts(folder);
  const base = localName(baseName);
  if (!branch || branch === base) throw new FolderEditError('refused', 'there is no branch to merge back');
  const place = await checkedOut(folder, base);
  if (!place) {
    // The base branch is checked out nowhere, so it can only be fast-forwarded.
    await runAsUser('git', ['fetch', '--quiet', '.', `refs/heads/${branch}:refs/heads/${base}`], folder).catch(
      (cause: unknown) => {
        throw new FolderEditError('refused', `${base} has new commits; check it out in a work tree to merge`, {
          cause,
        });
      },
    );
    return base;
  }
  if ((await commonFolder(place)) !== (await commonFolder(folder)))
    throw new FolderEditError('refused', `${place} is not a work tree of the same repository; nothing was changed`);
  const unfinished = await unfinishedIn(place);
  if (unfinished)
    throw new FolderEditError('refused', `a ${unfinished} is not finished in ${place}; finish or abort it first`);
  try {
    await runAsUser('git', ['merge', '--quiet', '--no-edit', branch], place);
  } catch (cause) {
    const hasBegun = (await unfinishedIn(place)) === 'merge';
    const files = hasBegun ? await runAsUser('git', ['diff', '--name-only', '--diff-filter=U'], place) : '';
    if (hasBegun) await runAsUser('git', ['merge', '--abort'], place);
    const why = files ? `conflicts in ${files.split('\n').join(', ')}` : (cause as Error).message;
    throw new FolderEditError('refused', `${branch} could not be merged into ${base}: ${why}`, { cause });
  }
  return base;
}

/** The local branch: `main` for `origin/main`. */
function localName(base: string): string {
  return base.replace(/^(?:refs\/heads\/|origin\/)/, '');
}

async function checkedOut(folder: string, branch: string): Promise<string | undefined> {
  const listed = await runAsUser('git', ['worktree', 'list', '--porcelain'], folder);
  const entry = listed.split('\n\n').find((text) => text.split('\n').includes(`branch refs/heads/${branch}`));
  return entry?.match(/^worktree (.*)$/m)?.[1];
}

/** An agent could list a folder of another repository as a work tree of this one. */
function commonFolder(place: string): Promise<string> {
  return runAsUser('git', ['rev-parse', '--path-format=absolute', '--git-common-dir'], place);
}

/** The git command, such as a merge, that the user or an agent has begun in a work tree and not finished. */
async function unfinishedIn(place: string): Promise<string | undefined> {
  const gitFolder = await runAsUser('git', ['rev-parse', '--absolute-git-dir'], place);
  return Object.entries(UNFINISHED).find(([name]) => existsSync(join(gitFolder, name)))?.[1];
}

/** The files that git keeps in its folder until a command is finished. */
const UNFINISHED = {
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  sequencer: 'cherry-pick',
};

function succeeds(folder: string, args: readonly string[]): Promise<boolean> {
  return runAsUser('git', args, folder).then(
    () => true,
    () => false,
  );
}
